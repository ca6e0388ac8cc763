import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorizationQuery, pkce, register } from '../oauth/support/flow.ts'
import { ConnectingClient } from '../outside/support/connecting-client.ts'
import { SDK_CLIENTS } from '../outside/support/sdk-clients.ts'
import { uniqueName } from '../support/test-service.ts'
import { useReaderBrowser } from './support/delivery.ts'
import { expectNotice } from './support/notices.ts'
import { addAuthenticator } from './support/passkeys.ts'

const readerBrowser = useReaderBrowser()
const PASSWORD = 'correct horse battery'

let callback: Server
let callbackUrl: string
/** Requests to the client's redirect URI. */
let arrived: URL[]
beforeAll(async () => {
  arrived = []
  callback = createServer((req, res) => {
    const url = new URL(req.url ?? '', callbackUrl)
    if (url.pathname === '/callback') arrived.push(url)
    // Redirect once more, as many clients do, to another page of the client.
    if (url.searchParams.get('state') === 'redirects') res.writeHead(302, { location: '/done' }).end()
    else res.setHeader('content-type', 'text/html').end('<title>The client</title>Connected')
  }).listen(0, '127.0.0.1')
  await once(callback, 'listening')
  callbackUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`
})
afterAll(() => void callback.close())

const signIn = async (page: Page, handle: string, password = PASSWORD) => {
  await page.getByLabel('Handle').fill(handle)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Returns the authorization URL of a newly registered client. */
const request = async (changes: Record<string, string> = {}) => {
  const clientId = await register(readerBrowser.service, { redirect_uris: [callbackUrl] })
  const { apiRoot } = readerBrowser.service.core.addresses
  const query = authorizationQuery(readerBrowser.service, clientId, pkce().challenge, {
    redirect_uri: callbackUrl,
    ...changes,
  })
  return `${apiRoot}/oauth/authorize?${query}`
}

describe('a person with a browser', () => {
  test.each(Object.entries(SDK_CLIENTS))(
    "connects a client of %s that knows only the server's address",
    async (_, connect) => {
      const person = await readerBrowser.service.signUp()
      const { page } = await readerBrowser.window()
      const program = new ConnectingClient(async url => {
        await page.goto(url.href)
        await signIn(page, person.handle)
        await page.getByRole('checkbox', { name: /profile/ }).uncheck()
        await page.getByRole('button', { name: 'Allow' }).click()
        await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
        return new URL(page.url())
      })
      program.clientMetadata.redirect_uris = [callbackUrl]
      program.redirectUrl = callbackUrl
      const address = new URL(`${readerBrowser.service.core.addresses.apiRoot}/user-mcp`)
      const connected = await connect(address, program)
      expect(await connected.me()).toMatchObject({
        handle: person.handle,
        scopes: ['posts'],
      })
      await connected.close()
    },
  )

  test.each([['stays'], ['redirects']])('returns to the client, whose page %s', async state => {
    const person = await readerBrowser.service.signUp()
    const { page } = await readerBrowser.window({ javaScriptEnabled: false })
    await page.goto(await request({ state }))
    await signIn(page, person.handle)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
    expect(await page.title()).toBe('The client')
    expect(arrived.at(-1)!.searchParams.get('state')).toBe(state)
    expect(arrived.at(-1)!.searchParams.get('code')).toMatch(/./)
  })

  test('can deny the request, before or after signing in', async () => {
    const person = await readerBrowser.service.signUp()
    const { page } = await readerBrowser.window()
    await page.goto(await request({ state: 'before' }))
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL(/error=access_denied/)
    expect(new URL(page.url()).searchParams.get('state')).toBe('before')
    await page.goto(await request({ state: 'after' }))
    await signIn(page, person.handle)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.waitForURL(/error=access_denied/)
    expect(new URL(page.url()).searchParams.get('state')).toBe('after')
  })

  test('sees an error if the password is wrong, and another error if no scope is selected', async () => {
    const person = await readerBrowser.service.signUp(uniqueName('slow'))
    const { page } = await readerBrowser.window()
    await page.goto(await request())
    await signIn(page, person.handle, 'wrong horse battery')
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The handle or password is wrong.')
    await signIn(page, person.handle)
    await page.getByRole('heading', { name: /^Let .* act as/ }).waitFor()
    // Until the page is complete, it may have only some of its checkboxes.
    await page.waitForLoadState()
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toMatch(/Choose at least one/)
  })

  test('can create an account, and then returns automatically to the request', async () => {
    const { page } = await readerBrowser.window()
    const handle = uniqueName('onway')
    await page.goto(await request({ state: 'a&b=c' }))
    await page.getByRole('link', { name: 'Sign in another way or create an account' }).click()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('heading', { name: 'Create an account' }).waitFor()
    await page.getByLabel('Handle').fill(handle)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByRole('heading', { name: `act as @${handle}?` }).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
    expect(new URL(page.url()).searchParams.get('state')).toBe('a&b=c')
  })

  test('can switch to another account', async () => {
    const [one, other] = [await readerBrowser.service.signUp(), await readerBrowser.service.signUp()]
    const { page } = await readerBrowser.window()
    await page.goto(await request())
    await signIn(page, one.handle)
    await page.getByRole('button', { name: 'Use another account' }).click()
    await signIn(page, other.handle)
    await expect.poll(() => page.getByRole('heading').textContent()).toContain(`@${other.handle}`)
  })

  test('can confirm with a passkey if the sign-in is older than ten minutes, and returns to the request', async () => {
    const { service } = readerBrowser
    const person = await service.signUp(uniqueName('keyed'))
    const { page } = await readerBrowser.window()
    await addAuthenticator(page)
    await page.goto(`${service.core.addresses.apiRoot}/admin/sign-in?next=/account/security`)
    await page.getByLabel('Handle').fill(person.handle)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expectNotice(page, 'Passkey “Chrome on Linux” added.')
    await service.core.database
      .updateTable('sessions')
      .set({ confirmed_at: new Date(0) })
      .execute()
    await page.goto(await request({ state: 'passkey' }))
    await page.getByRole('heading', { name: 'Confirm it’s you to connect Test client' }).waitFor()
    await page.getByRole('link', { name: /^Use a passkey/ }).click()
    // The authenticator accepts the autofill suggestion of the handle field immediately.
    await page.getByRole('heading', { name: `act as @${person.handle}?` }).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1/)
    expect(new URL(page.url()).searchParams.get('state')).toBe('passkey')
    expect(new URL(page.url()).searchParams.has('code')).toBe(true)
  })

  test('cannot approve anything in a frame, because the consent page forbids framing', async () => {
    const { page } = await readerBrowser.window()
    const authorizeUrl = await request()
    await page.goto(callbackUrl)
    await page.setContent(`<iframe src="${authorizeUrl.replaceAll('&', '&amp;')}"></iframe>`)
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
    expect(await page.frameLocator('iframe').getByRole('heading').count()).toBe(0)
  })

  test('cannot be tricked into approving an app by a form on another site', async () => {
    const person = await readerBrowser.service.signUp()
    const { page } = await readerBrowser.window()
    const authorizeUrl = await request({ state: 'forged' })
    await page.goto(authorizeUrl)
    await signIn(page, person.handle)
    const proof = await page.locator('input[name=proof]').getAttribute('value')
    const { apiRoot } = readerBrowser.service.core.addresses
    await page.goto(callbackUrl)
    await page.setContent(`<form method="post" action="${apiRoot}/oauth/consent">
      <input name="request"><input name="proof" value="${proof}"><input name="scope" value="posts">
      <button name="decision" value="allow">Win</button></form>`)
    await page.locator('input[name=request]').fill(new URL(authorizeUrl).search.slice(1))
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Cannot connect this app' }).waitFor()
    expect(arrived.map(url => url.searchParams.get('state'))).not.toContain('forged')
  })
})

describe('the sign-in and consent pages', () => {
  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)(
    'fit the window, load their styles and work with the keyboard in the %s color scheme at a width of %i px',
    async (scheme, width) => {
      const person = await readerBrowser.service.signUp()
      const { page } = await readerBrowser.window({ colorScheme: scheme, viewport: { width, height: 800 } })
      const faults: string[] = []
      page.on('console', message => void (message.type() === 'error' && faults.push(message.text())))
      const look = async () => {
        // Until the page is complete, its fields cannot be reached with the keyboard.
        await page.waitForLoadState()
        const size = await page.evaluate('document.documentElement.scrollWidth')
        expect(size).toBeLessThanOrEqual(width)
        expect(await page.evaluate('getComputedStyle(document.querySelector("main")).borderRadius')).toBe(
          '16px',
        )
        await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('en')
      }
      await page.goto(await request())
      await look()
      await signIn(page, person.handle)
      await page.getByRole('heading', { name: /^Let .* act as/ }).waitFor()
      await look()
      const reached: string[] = []
      for (let i = 0; i < 7; i++) {
        await page.keyboard.press('Tab')
        reached.push(String(await page.evaluate('document.activeElement.value')))
      }
      expect(reached).toEqual(['posts', 'comments', 'likes', 'profile', 'deny', 'allow', 'switch'])
      expect(faults).toEqual([])
    },
  )
})
