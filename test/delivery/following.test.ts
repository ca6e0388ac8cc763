import { describe, expect, test } from 'vitest'
import { type Person, useTestService } from '../support/test-service.ts'
import { mainSiteOf } from './support/main-site.ts'

const service = useTestService()

type Headers = Record<string, string>

const browserOf = (person: Person | null) => mainSiteOf(service, person)

const people = async () => {
  const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
  return { author, reader, browser: await browserOf(reader), profile: `/@${author.handle}` }
}

const publish = (author: Person, markdown: string) => author.posts.create({ format: 'markdown', markdown })
const followed = async (person: Person) => (await person.follows.list({})).people.map(({ handle }) => handle)

describe('the button on a profile', () => {
  test('follows the person, and unfollows them', async () => {
    const { author, reader, browser, profile } = await people()
    expect((await browser.get(profile)).text).toContain(
      `name="follow" value="yes" aria-label="Follow ${author.handle}"`,
    )
    const sent = await browser.send(`${profile}/follow`, { follow: 'yes' })
    expect([sent.status, sent.headers.location]).toEqual([303, profile])
    expect(await followed(reader)).toEqual([author.handle])
    expect((await browser.get(profile)).text).toContain(
      `name="follow" value="no" aria-label="Following ${author.handle}, unfollow"`,
    )
    await browser.send(`${profile}/follow`, { follow: 'no' })
    expect(await followed(reader)).toEqual([])
  })

  test('is missing on your own profile and for visitors, who get a link to sign in', async () => {
    const { author, profile } = await people()
    expect((await (await browserOf(author)).get(profile)).text).not.toContain('<form')
    const { text, headers } = await (await browserOf(null)).get(profile)
    expect(text).not.toContain('<form')
    expect(text).toContain(`/admin/sign-in?page=@${author.handle}"`)
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers.vary).toContain('Cookie')
  })

  test('makes the profile personal, so that shared caches do not store it', async () => {
    const { browser, profile } = await people()
    expect((await browser.get(profile)).headers['cache-control']).toBe('private, no-cache')
  })
})

test('the follow button on a post lets you follow the author, then returns you to the post', async () => {
  const { author, reader, browser, profile } = await people()
  const { id } = await publish(author, 'Beans')
  expect((await browser.get(`/posts/${id}`)).text).toContain(`action="${profile}/follow"`)
  const { headers } = await browser.send(`${profile}/follow`, { follow: 'yes', post: id })
  expect(headers.location).toBe(`/posts/${id}#reactions`)
  expect(await followed(reader)).toEqual([author.handle])
  expect((await (await browserOf(author)).get(`/posts/${id}`)).text).not.toContain('/follow"')
})

describe('the form of the follow button', () => {
  test('asks a visitor to sign in', async () => {
    const { profile } = await people()
    const { status, headers } = await (await browserOf(null)).send(`${profile}/follow`, { follow: 'yes' })
    expect([status, headers.location]).toEqual([303, `/admin/sign-in?page=%40${profile.slice(2)}`])
  })

  test.each<[string, Headers]>([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a client that does not say where it comes from', {}],
  ])('changes nothing if it is sent by %s', async (_, headers) => {
    const { reader, browser, profile } = await people()
    expect((await browser.send(`${profile}/follow`, { follow: 'yes' }, headers)).status).toBe(403)
    expect(await followed(reader)).toEqual([])
  })

  test.each([
    ['/@no_such_person', 404],
    ['/@x', 422],
    ['/@%00', 422],
  ])('for %s is refused with %i', async (path, status) => {
    const { browser } = await people()
    expect((await browser.send(`${path}/follow`, { follow: 'yes' })).status).toBe(status)
  })

  test('never redirects to another site', async () => {
    const { browser, profile } = await people()
    for (const post of ['//evil.example', '../../x', '\r\nx: y']) {
      const { headers } = await browser.send(`${profile}/follow`, { follow: 'yes', post })
      expect(headers.location).toBe(`/posts/${encodeURIComponent(post)}#reactions`)
    }
  })
})

describe('the posts of the people you follow', () => {
  test('are listed newest first, without posts of other people and without drafts', async () => {
    const { author, reader, browser } = await people()
    const [second, unfollowed] = await Promise.all([service.signUp(), service.signUp()])
    for (const person of [author, second]) await reader.follows.add({ handle: person.handle })
    await publish(author, 'The first')
    await publish(unfollowed, 'An unfollowed person')
    await publish(reader, 'My own')
    await publish(second, 'The second')
    await author.writing.createDraft({ format: 'markdown', markdown: 'A draft' })
    await publish(author, 'The third')
    const { text, headers } = await browser.get('/following')
    expect(text.match(/The first|The second|The third|An unfollowed person|My own|A draft/g)).toEqual([
      'The third',
      'The second',
      'The first',
    ])
    expect(headers['cache-control']).toBe('private, no-cache')
  })

  test('are paged, with each post on exactly one page, even if one person wrote most of them', async () => {
    const { author, reader, browser } = await people()
    const written: string[] = []
    for (let i = 0; i < 26; i++) {
      const person = i === 0 ? author : await service.signUp()
      await reader.follows.add({ handle: person.handle })
      written.unshift((await publish(person, 'x')).id)
    }
    for (let i = 0; i < 24; i++) written.unshift((await publish(author, 'x')).id)
    const seen: string[] = []
    let path: string | undefined = '/following'
    while (path !== undefined) {
      const { text } = await browser.get(path)
      seen.push(...[...text.matchAll(/href="\/posts\/([^"#]+)"/g)].map(([, id]) => id!))
      path = /href="([^"]+)" rel="next"/.exec(text)?.[1]
    }
    expect(seen).toEqual(written)
  })

  test('are replaced by an explanation of how to follow someone if there are no such posts', async () => {
    const { browser } = await people()
    expect((await browser.get('/following')).text).toContain('To follow someone, open their profile')
  })

  test('require a session, and return 404 for an invalid cursor', async () => {
    const { browser } = await people()
    const { status, headers } = await (await browserOf(null)).get('/following')
    expect([status, headers.location]).toEqual([303, '/admin/sign-in?page=following'])
    for (const cursor of ['x', '1-', '', '1-1&before=1-1'])
      expect((await browser.get(`/following?before=${cursor}`)).status).toBe(404)
  })

  test('are linked in the header for signed-in people only, beside writing and notifications', async () => {
    const { author, browser, profile } = await people()
    const { id } = await publish(author, 'Beans')
    const visitor = await browserOf(null)
    const linksOf = ({ text }: { text: string }) =>
      ['/following', '/admin/new-post', '/admin/notifications'].filter(path =>
        text.includes(`<a href="${path}"`),
      )
    for (const path of ['/', '/?before=9999999999999-1', profile, `/posts/${id}`]) {
      expect(linksOf(await browser.get(path))).toHaveLength(3)
      expect(linksOf(await visitor.get(path))).toEqual([])
    }
  })
})
