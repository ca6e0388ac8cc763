import { describe, expect, it } from 'vitest'
import { isSecret } from '../../routers/api/secret.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

describe('a token', () => {
  it('shows its secret once, and afterwards only the first characters', async () => {
    const person = await service.signUp()
    const issued = await person.tokens.issue({ label: ' Blog ', scopes: ['profile', 'posts', 'posts'] })
    expect(isSecret('user_token', issued.secret)).toBe(true)
    expect(issued.secret).toMatch(/^ss_ut_/)
    const { secret, ...rest } = issued
    expect(rest).toMatchObject({
      label: 'Blog',
      hint: `${secret.slice(0, 10)}…`,
      scopes: ['posts', 'profile'],
    })
    const list = await person.tokens.list()
    expect(list.find(({ id }) => id === rest.id)).toEqual({ ...rest, last_used_at: null })
    expect(JSON.stringify(list)).not.toContain(secret)
  })

  it('shows when it was last used', async () => {
    const person = await service.signUp()
    const { id, secret } = await person.tokens.issue({ label: 'x', scopes: ['likes'] })
    const before = Date.now()
    await service.rest(secret).get('/me')
    await service.core.lastUsed.flush()
    const used = (await person.tokens.list()).find(token => token.id === id)!.last_used_at!
    expect(Date.parse(used)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(used)).toBeLessThanOrEqual(Date.now())
  })

  it('stops working when its owner revokes it', async () => {
    const [person, other] = await Promise.all([service.signUp(), service.signUp()])
    const { id, secret } = await person.tokens.issue({ label: 'x', scopes: ['likes'] })
    expect(await errorCodeOf(other.tokens.revoke({ token_id: id }))).toBe('token_not_found')
    expect((await service.rest(secret).get('/me')).status).toBe(200)
    await person.tokens.revoke({ token_id: id })
    expect((await service.rest(secret).get('/me')).status).toBe(401)
    expect(await errorCodeOf(person.tokens.revoke({ token_id: id }))).toBe('token_not_found')
    expect((await other.tokens.list()).map(token => token.id)).not.toContain(id)
  })

  it('needs a label and at least one known scope', async () => {
    const person = await service.signUp()
    const issue = (label: string, scopes: string[]) =>
      errorFields(person.tokens.issue({ label, scopes: scopes as ['posts'] }))
    expect(await issue(' ', ['posts'])).toEqual(['label'])
    expect(await issue('x'.repeat(61), ['posts'])).toEqual(['label'])
    expect(await issue('x'.repeat(60), [])).toEqual(['scopes'])
    expect(await issue('x', ['posts', 'pages'])).toEqual(['scopes.1'])
  })

  it('can be issued only with a session', async () => {
    expect(await errorCodeOf(service.anonymous().tokens.issue({ label: 'x', scopes: ['posts'] }))).toBe(
      'sign_in_required',
    )
  })

  it('is never written to the log', async () => {
    const person = await service.signUp()
    const secret = await person.token('posts')
    await service.rest(secret).post('/posts', { html: 'x' })
    expect(service.log.length).toBeGreaterThan(0)
    expect(JSON.stringify(service.log)).not.toContain(secret)
  })
})
