import { describe, expect, it } from 'vitest'
import { testPng } from '../support/png.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()

const leave = (person: Person) => errorCodeOf(person.accounts.delete({ confirm: person.handle }))

/** Creates a space with a second participant. */
const shared = async () => {
  const space = await service.createSpace()
  return { ...space, guest: await space.join() }
}

const spacesWithNobody = async () => {
  const rows = await service.core.database
    .selectFrom('spaces as space')
    .leftJoin('participants as participant', 'participant.space_id', 'space.id')
    .where('participant.id', 'is', null)
    .select('space.subdomain')
    .execute()
  return rows.map(({ subdomain }) => subdomain)
}

describe('deleting the account', () => {
  it('deletes posts, comments, likes, tokens and icon, and frees the handle', async () => {
    const [person, other] = await Promise.all([service.signUp(), service.signUp()])
    const own = (await person.api.post<{ id: string }>('/posts', { html: 'x' })).body.id
    const foreign = (await other.api.post<{ id: string }>('/posts', { html: 'x' })).body.id
    await person.api.post(`/posts/${foreign}/comments`, { body: 'x' })
    await person.api.put(`/posts/${foreign}/like`)
    await other.api.put(`/posts/${foreign}/like`)
    await other.api.post(`/posts/${own}/comments`, { body: 'x' })
    const png = await testPng({ width: 256, height: 256 })
    const { icon_url } = (await person.api.put<{ icon_url: string }>('/me/icon', { png })).body
    expect(await leave(person)).toBeUndefined()
    expect((await person.api.get('/me')).status).toBe(401)
    expect((await other.api.get(`/posts/${own}`)).status).toBe(404)
    expect((await other.api.get(`/posts/${foreign}`)).body).toMatchObject({ like_count: 1, comment_count: 0 })
    expect((await fetch(service.root + new URL(icon_url).pathname)).status).toBe(404)
    expect((await other.api.patch('/me', { handle: person.handle })).status).toBe(200)
  })

  it('ends its keys, but keeps uploaded files and spaces for the other participants', async () => {
    const { subdomain, guest, api } = await shared()
    const { secret } = await guest.keys.issue({ subdomain, label: 'x', scopes: ['files_write'] })
    const guestApi = service.rest(secret, `/v1/spaces/${subdomain}`)
    const file = (
      await guestApi.post<{ id: string; uploaded_by: string }>('/files', {
        name: 'a.txt',
        content: 'a',
        encoding: 'text',
      })
    ).body
    expect(file.uploaded_by).toBe(guest.handle)
    expect(await leave(guest)).toBeUndefined()
    expect((await guestApi.get('/files')).status).toBe(401)
    expect((await api.get(`/files/${file.id}`)).body.uploaded_by).toBeNull()
  })

  it('requires the handle as confirmation', async () => {
    const person = await service.signUp()
    for (const confirm of ['', 'yes', `${person.handle} `, person.handle.toUpperCase()])
      expect(await errorFields(person.accounts.delete({ confirm }))).toEqual(['confirm'])
    expect((await person.api.get('/me')).status).toBe(200)
    expect(await errorCodeOf(service.anonymous().accounts.delete({ confirm: '' }))).toBe('sign_in_required')
  })

  it('is rejected while the account is the last participant of spaces, and the error names the spaces', async () => {
    const { owner, subdomain, guest } = await shared()
    const alone = uniqueName('alone')
    await owner.spaces.create({ subdomain: alone, name: 'Alone' })
    await expect(owner.accounts.delete({ confirm: owner.handle })).rejects.toMatchObject({
      problem: 'last_participant',
      message: expect.stringContaining(alone),
    })
    await expect(owner.accounts.delete({ confirm: owner.handle })).rejects.toMatchObject({
      message: expect.not.stringContaining(subdomain),
    })
    expect((await owner.api.get('/me')).status).toBe(200)
    await owner.spaces.delete({ subdomain: alone, confirm: alone })
    expect(await leave(owner)).toBeUndefined()
    expect(await leave(guest)).toBe('last_participant')
  })

  it('is rejected while the account is the only owner of a space with editors, and the error names the space', async () => {
    const { owner, subdomain, join } = await service.createSpace()
    const editor = await join(undefined, 'editor')
    expect(await owner.accounts.leaving()).toMatchObject({
      spaces: [],
      alone_in: [],
      only_owner_of: [{ subdomain }],
    })
    await expect(owner.accounts.delete({ confirm: owner.handle })).rejects.toMatchObject({
      problem: 'last_owner',
      message: expect.stringContaining(subdomain),
    })
    expect(await editor.accounts.leaving()).toMatchObject({ spaces: [{ subdomain }], only_owner_of: [] })
    const second = await join()
    expect(await leave(owner)).toBeUndefined()
    expect(await leave(second)).toBe('last_owner')
    expect(await leave(editor)).toBeUndefined()
    expect(await leave(second)).toBe('last_participant')
  })

  it('never leaves a space without an owner, even if the other owner becomes an editor at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const { owner, guest, subdomain } = await shared()
      const { id } = (await owner.participants.list({ subdomain })).find(
        ({ handle }) => handle === guest.handle,
      )!
      const outcomes = await Promise.all([
        leave(owner),
        errorCodeOf(guest.participants.setRole({ subdomain, participant_id: id, role: 'editor' })),
      ])
      expect([
        ['last_owner', undefined],
        [undefined, 'last_participant'],
      ]).toContainEqual(outcomes)
    }
  })

  it('fails for one participant if all participants of a space delete their accounts at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const { owner, guest } = await shared()
      const outcomes = await Promise.all([leave(owner), leave(guest)])
      expect(new Set(outcomes)).toEqual(new Set(['last_participant', undefined]))
    }
    expect(await spacesWithNobody()).toEqual([])
  })

  it('never leaves a space without participants, even if the only other participant leaves at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const { owner, guest, subdomain } = await shared()
      const outcomes = await Promise.all([leave(owner), errorCodeOf(guest.participants.leave({ subdomain }))])
      expect(new Set(outcomes)).toEqual(new Set(['last_participant', undefined]))
    }
    expect(await spacesWithNobody()).toEqual([])
  })

  it('causes no internal error during other calls of the account, and leaves no space without participants', async () => {
    for (let round = 0; round < 5; round++) {
      const [person, other] = await Promise.all([service.signUp(), service.signUp()])
      const { id } = (await other.api.post<{ id: string }>('/posts', { html: 'x' })).body
      const subdomain = uniqueName('late')
      const calls = [
        ...[1, 2, 3].map(() => person.api.post('/posts', { html: 'x' })),
        ...[1, 2, 3].map(() => person.api.post(`/posts/${id}/comments`, { body: 'x' })),
        person.api.put(`/posts/${id}/like`),
        person.api.patch('/me', { bio: 'x' }),
      ]
      const [left, created, issued, ...responses] = await Promise.all([
        leave(person),
        errorCodeOf(person.spaces.create({ subdomain, name: 'Late' })),
        errorCodeOf(person.tokens.issue({ label: 'x', scopes: ['posts'] })),
        ...calls,
      ])
      expect([undefined, 'last_participant']).toContain(left)
      expect([undefined, 'sign_in_required']).toContain(created)
      expect([undefined, 'sign_in_required']).toContain(issued)
      for (const { status } of responses) expect([200, 201, 401]).toContain(status)
    }
    expect(await spacesWithNobody()).toEqual([])
    expect(service.log.filter(({ msg }) => msg === 'fault')).toEqual([])
  })

  it('succeeds when accounts that like and comment on each other’s posts are deleted at the same time', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => service.signUp()))
    const posts = await Promise.all(
      people.map(async ({ api }) => (await api.post<{ id: string }>('/posts', { html: 'x' })).body.id),
    )
    await Promise.all(
      people.flatMap(({ api }) =>
        posts.flatMap(id => [api.put(`/posts/${id}/like`), api.post(`/posts/${id}/comments`, { body: 'x' })]),
      ),
    )
    const outcomes = await Promise.all(people.map(leave))
    expect(outcomes).toEqual(people.map(() => undefined))
  })
})
