import { describe, expect, test } from 'vitest'
import { uniqueName } from '../support/test-service.ts'
import { signedInBrowser, useTestServiceWithoutLimits } from './support/flow.ts'
import { ALL, spaceFlow } from './support/space-flow.ts'

const service = useTestServiceWithoutLimits()
const { ask, exchange, browserOf, subdomainOf } = spaceFlow(service)

describe('the consent page of a client that knows only the URL of /mcp', () => {
  test('offers the spaces of the person and preselects the scopes that the tools need', async () => {
    const space = await service.createSpace()
    await space.owner.spaces.create({ subdomain: uniqueName('second'), name: 'Second' })
    const other = await service.createSpace()
    const { page } = await ask(await browserOf(space))
    expect(page.text).toContain('Let <bdi>Test client</bdi> work on a space?')
    expect(page.checkedScopes).toEqual(ALL)
    expect([...page.text.matchAll(/<option /g)]).toHaveLength(3)
    expect(page.text).toContain(`<option value="${space.subdomain}">`)
    expect(page.text).not.toContain(other.subdomain)
  })

  test.each([
    ['/mcp/studio', ALL],
    ['/mcp/readonly', ['pages', 'data', 'files']],
  ])('preselects only the scopes that the tools at %s need', async (path, scopes) => {
    const resource = `http://localhost${path}`
    const { page } = await ask(await browserOf(await service.createSpace()), { resource })
    expect(page.checkedScopes).toEqual(scopes)
    expect(page.text).toContain('value="files_write"')
  })

  test('preselects the space of a person who has only one', async () => {
    const space = await service.createSpace()
    const { page } = await ask(await browserOf(space))
    expect(page.text).toContain(`<option value="${space.subdomain}" selected>`)
  })

  test('offers no space that the person only edits, and refuses it', async () => {
    const edited = await service.createSpace()
    const space = await service.createSpace()
    await edited.join(space.owner, 'editor')
    const browser = await browserOf(space)
    const { page } = await ask(browser)
    expect(page.text).not.toContain(`value="${edited.subdomain}"`)
    const answer = await browser.decide(page, 'allow', ['data'], edited.subdomain)
    expect(answer).toMatchObject({ status: 422, location: null })
    expect(answer.text).toContain('Choose one of your spaces.')
  })

  test('connects no client to a space whose owner became an editor before the code was exchanged', async () => {
    const space = await service.createSpace()
    const { subdomain } = space
    const other = await space.join()
    const browser = await browserOf(space)
    const { clientId, verifier, page } = await ask(browser)
    const { location } = await browser.decide(page, 'allow', ALL, subdomain)
    const participants = await other.participants.list({ subdomain })
    const { id } = participants.find(({ handle }) => handle === space.owner.handle)!
    await other.participants.setRole({ subdomain, participant_id: id, role: 'editor' })
    const { status, body } = await exchange(clientId, location!.searchParams.get('code')!, verifier)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect((await other.keys.list({ subdomain })).map(({ label }) => label)).not.toContain('Test client')
  })

  test('is also shown if the client asks for scopes of a space but names no resource', async () => {
    const { page } = await ask(await browserOf(await service.createSpace()), {
      resource: undefined,
      scope: 'data',
    })
    expect(page.text).toContain('work on a space?')
    expect(page.checkedScopes).toEqual(['data'])
  })

  test.each([
    ['no space', () => ''],
    ['a space of other people', async () => (await service.createSpace()).subdomain],
    ['an unknown space', () => uniqueName('unknown')],
  ])('asks again if the person chooses %s', async (_, choose) => {
    const browser = await browserOf(await service.createSpace())
    const { page } = await ask(browser)
    const answer = await browser.decide(page, 'allow', ['data'], await choose())
    expect(answer).toMatchObject({ status: 422, location: null, checkedScopes: ['data'] })
    expect(answer.text).toContain('Choose one of your spaces.')
  })

  test('creates a space for a person without one, then asks for permissions', async () => {
    const { person, browser } = await signedInBrowser(service)
    const { clientId, verifier, page } = await ask(browser)
    expect(page.text).toContain('Create a space for <bdi>Test client</bdi>')
    const subdomain = uniqueName('new')
    const taken = (await service.createSpace()).subdomain
    for (const [values, message] of [
      [{ name: 'Garden', subdomain: 'A!' }, 'It must be 3 to 30'],
      [{ name: 'Garden', subdomain: 'admin' }, 'It is reserved'],
      [{ name: 'Garden', subdomain: taken }, 'This address is taken'],
      [{ name: ' ', subdomain }, 'It must'],
    ] as const) {
      const refused = await browser.createSpace(page, values)
      expect(refused.status).toBe(422)
      expect(refused.text).toContain(message)
    }
    const consent = await browser.createSpace(page, { name: 'Garden', subdomain })
    expect(consent.text).toContain(`<option value="${subdomain}" selected>Garden`)
    const { location } = await browser.decide(consent, 'allow', ALL, subdomain)
    const { body } = await exchange(clientId, location!.searchParams.get('code')!, verifier)
    expect(await subdomainOf(String(body.access_token))).toBe(subdomain)
    expect((await person.spaces.list()).map(space => space.subdomain)).toEqual([subdomain])
  })

  test('lets a person who has spaces create another one', async () => {
    const browser = await browserOf(await service.createSpace())
    const { page } = await ask(browser)
    const form = await browser.decide(page, 'create')
    expect(form.text).toContain('>Back</a>')
    const subdomain = uniqueName('extra')
    const consent = await browser.createSpace(form, { name: 'Extra', subdomain })
    expect(consent.text).toContain(`<option value="${subdomain}" selected>Extra`)
  })

  test('redirects with access_denied if a person without a space denies access', async () => {
    const { browser } = await signedInBrowser(service)
    const { page } = await ask(browser)
    const { location } = await browser.send('/oauth/space', {
      request: page.field('request'),
      proof: page.field('proof'),
      decision: 'deny',
    })
    expect(location?.searchParams.get('error')).toBe('access_denied')
  })

  test('creates no space without the CSRF proof of the session', async () => {
    const { person, browser } = await signedInBrowser(service)
    const { page } = await ask(browser)
    const answer = await browser.send('/oauth/space', {
      request: page.field('request'),
      proof: 'guessed',
      decision: 'create',
      name: 'x',
      subdomain: uniqueName('x'),
    })
    expect(answer.status).toBe(400)
    expect(await person.spaces.list()).toEqual([])
  })
})
