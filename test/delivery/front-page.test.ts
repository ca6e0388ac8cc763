import { describe, expect, test } from 'vitest'
import { startTestService, useTestService } from '../support/test-service.ts'

const service = useTestService({ signUp: 'open' })

const open = async (path = '/', { root } = service, headers: Record<string, string> = {}) => {
  const response = await fetch(root + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Signs in over HTTP and returns the session's cookie. */
const signIn = async (handle: string) => {
  const response = await fetch(`${service.root}/trpc/sessions.create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://localhost', host: 'localhost' },
    body: JSON.stringify({ handle, password: 'correct horse battery' }),
  })
  return response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';')[0]!)
    .join('; ')
}

describe('the front page', () => {
  test('says what the service is, and offers to create an account and to sign in', async () => {
    const { status, text, headers } = await open()
    expect(status).toBe(200)
    expect(text).toContain('<h1>Websites for people and agents</h1>')
    expect(text).toContain('href="/admin/sign-up">Create an account')
    expect(text).toContain('href="/admin/sign-in">Sign in')
    expect(text).not.toContain('Look at the demo site')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('vary')).toContain('Cookie')
  })

  test.each(['light', 'dark'])('has a %s picture of the dashboard', async scheme => {
    const { text } = await open()
    const path = `/_front/dashboard-${scheme}.webp`
    expect(text).toContain(`"${path}"`)
    const picture = await open(path)
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toBe('image/webp')
  })

  test('gives access to no files but its pictures', async () => {
    expect((await open('/_front/')).status).toBe(404)
    expect((await open('/_front/../operating.md')).status).toBe(404)
    expect((await open('/_front/%2e%2e%2foperating.md')).status).toBe(404)
  })

  test('greets a signed-in person, and shared caches must not store that response', async () => {
    const { handle } = await service.signUp()
    const { text, headers } = await open('/', service, { cookie: await signIn(handle) })
    expect(text).toContain('Open your dashboard')
    expect(text).toContain(`You are signed in as <a href="/@${handle}">${handle}</a>`)
    expect(text).not.toContain('Create an account')
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })

  test('ignores a session that has ended', async () => {
    const { text } = await open('/', service, { cookie: `session=${'a'.repeat(43)}` })
    expect(text).toContain('Create an account')
  })

  test('lists the newest posts', async () => {
    const person = await service.signUp()
    await person.posts.create({ format: 'markdown', markdown: 'A **fresh** post' })
    expect((await open()).text).toContain('A <strong>fresh</strong> post')
  })

  test('has the title and text that the operator has configured, and hides sign-up and the timeline if they are off', async () => {
    const other = await startTestService({
      frontPage: { title: 'Sites of <Ghent>', text: 'For everyone in town.', hasTimeline: false },
    })
    try {
      const author = await other.signUp()
      await author.posts.create({ format: 'markdown', markdown: 'Hidden here' })
      other.core.signUp = 'invite'
      const { text } = await open('/', other)
      expect(text).toContain('<h1>Sites of &lt;Ghent&gt;</h1>')
      expect(text).toContain('For everyone in town.')
      expect(text).toContain('New accounts are by invitation only.')
      expect(text).not.toContain('/admin/sign-up')
      expect(text).not.toContain('Hidden here')
      expect((await open('/?before=x', other)).status).toBe(404)
    } finally {
      await other.stop()
    }
  })

  test('links to the demo site as long as it exists', async () => {
    const { owner, subdomain } = await service.createSpace()
    service.core.demo = subdomain
    expect((await open()).text).toContain(
      `href="${(await owner.space.get({ subdomain })).url}">Look at the demo`,
    )
    service.core.demo = 'deleted-since'
    expect((await open()).text).not.toContain('Look at the demo')
    service.core.demo = null
  })
})
