import { describe, expect, test } from 'vitest'
import { type Person, useTestService } from '../support/test-service.ts'
import { mainSiteOf } from './support/main-site.ts'

const service = useTestService()

const browserOf = (person: Person | null) => mainSiteOf(service, person)

const people = async () => {
  const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
  const [browser, visitor] = await Promise.all([browserOf(reader), browserOf(null)])
  return { author, reader, browser, visitor, profile: `/@${author.handle}` }
}

const publish = async (author: Person, markdown: string) =>
  (await author.posts.create({ format: 'markdown', markdown })).id
const muted = async (person: Person) =>
  (await person.mutes.list({})).people.map(({ handle, is_blocked }) => [handle, is_blocked])

describe('the form to mute or block a person', () => {
  test('mutes, blocks and unblocks, and leads back to the profile or the post', async () => {
    const { author, reader, browser, profile } = await people()
    const id = await publish(author, 'Beans')
    expect((await browser.get(profile)).text).toContain(`href="${profile}/mute"`)
    expect((await browser.get(`/posts/${id}`)).text).toContain(`href="${profile}/mute?post=${id}"`)
    const sent = await browser.send(`${profile}/mute`, { action: 'mute' })
    expect([sent.status, sent.headers.location]).toEqual([303, profile])
    expect(await muted(reader)).toEqual([[author.handle, false]])
    expect((await browser.get(profile)).text).toContain('You have muted')
    const blocked = await browser.send(`${profile}/mute`, { action: 'block', post: id })
    expect(blocked.headers.location).toBe(`/posts/${id}`)
    expect(await muted(reader)).toEqual([[author.handle, true]])
    expect((await browser.get(profile)).text).toMatch(/You have blocked(?!.*follow")/s)
    await browser.send(`${profile}/mute`, { action: 'remove' })
    expect(await muted(reader)).toEqual([])
  })

  test('is refused from another site, for yourself, and with an unknown action', async () => {
    const { author, reader, browser, profile } = await people()
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' }
    expect((await browser.send(`${profile}/mute`, { action: 'block' }, foreign)).status).toBe(403)
    expect((await browser.send(`/@${reader.handle}/mute`, { action: 'block' })).status).toBe(422)
    expect((await browser.get(`/@${reader.handle}/mute`)).status).toBe(404)
    expect((await browser.get('/@no_such_person/mute')).status).toBe(404)
    expect((await browser.send(`${profile}/mute`, { action: 'praise' })).status).toBe(422)
    expect(await muted(reader)).toEqual([])
    expect((await (await browserOf(author)).get(profile)).text).not.toContain('Mute or block')
  })

  test('asks a visitor to sign in', async () => {
    const { visitor, profile } = await people()
    const target = `/admin/sign-in?page=${encodeURIComponent(profile.slice(1))}`
    expect((await visitor.get(`${profile}/mute`)).headers.location).toBe(target)
    expect((await visitor.send(`${profile}/mute`, { action: 'mute' })).headers.location).toBe(target)
    expect((await visitor.get(profile)).text).not.toContain('Mute or block')
  })

  test('escapes the `post` parameter of its address', async () => {
    const { browser, profile } = await people()
    const { text } = await browser.get(`${profile}/mute?post=${encodeURIComponent('"><b>../x')}`)
    expect(text).not.toContain('"><b>')
    expect(text).toContain('/posts/%22%3E%3Cb%3E..%2Fx')
  })
})

test.each([false, true])(
  'posts of a muted person (blocked: %s) are missing only from the lists of the reader who muted that person',
  async block => {
    const { author, reader, browser, visitor, profile } = await people()
    const words = `Words of ${author.handle}`
    const id = await publish(author, words)
    await reader.follows.add({ handle: author.handle })
    const lists = async () => [
      (await browser.get('/')).text.includes(words),
      (await browser.get('/following')).text.includes(words),
      (await visitor.get('/')).text.includes(words),
    ]
    expect(await lists()).toEqual([true, true, true])
    await reader.mutes.add({ handle: author.handle, block })
    expect(await lists()).toEqual([false, false, true])
    expect((await browser.get(profile)).text).toContain(words)
    expect((await browser.get(`/posts/${id}`)).text).toContain(words)
    await reader.mutes.remove({ handle: author.handle })
    expect(await lists()).toEqual([true, !block, true])
  },
)

test('later pages of the timeline leave out muted people too', async () => {
  const { author, reader, browser, visitor } = await people()
  const words = `Old words of ${author.handle}`
  await publish(author, words)
  for (let i = 0; i < 20; i++) await publish(reader, `Newer ${i}`)
  await reader.mutes.add({ handle: author.handle })
  const next = async ({ get }: typeof visitor) => {
    const [, path] = /<a href="([^"]+)" rel="next"/.exec((await get('/')).text) ?? []
    return path === undefined ? '' : (await get(path)).text
  }
  expect(await next(visitor)).toContain(words)
  expect(await next(browser)).not.toContain(words)
})

test('a reader sees a notice instead of comments by people they blocked; others still see the comments', async () => {
  const { author, reader, browser, visitor } = await people()
  const id = await publish(reader, 'Beans')
  await author.comments.create({ post_id: id, body: 'Rude words' })
  expect((await browser.get(`/posts/${id}`)).text).toContain(`href="/@${author.handle}/mute?post=${id}"`)
  await reader.mutes.add({ handle: author.handle })
  const whileMuted = (await browser.get(`/posts/${id}`)).text
  expect(whileMuted).toContain('Rude words')
  expect(whileMuted).not.toContain('are hidden')
  await reader.mutes.add({ handle: author.handle, block: true })
  const { text } = await browser.get(`/posts/${id}`)
  expect(text).not.toContain('Rude words')
  expect(text).toContain('Comments by people you blocked are hidden.')
  expect((await visitor.get(`/posts/${id}`)).text).toContain('Rude words')
})

test('a blocked person can read the post, is offered no forms, and keeps the text of a refused comment', async () => {
  const { author, reader, browser, profile } = await people()
  const id = await publish(author, 'Beans')
  await author.mutes.add({ handle: reader.handle, block: true })
  const { text } = await browser.get(`/posts/${id}`)
  expect(text).toContain('You can’t comment on this post.')
  expect(text).not.toMatch(/\/like"|\/follow"|<textarea/)
  expect((await browser.get(profile)).text).not.toContain('/follow"')
  const sent = await browser.send(`/posts/${id}/comments`, { body: 'My long thoughts' })
  expect(sent.status).toBe(422)
  expect(sent.text).toContain('Your comment cannot be added to this post.')
  expect(sent.text).toContain('My long thoughts')
  expect((await browser.send(`/posts/${id}/like`, { like: 'yes' })).status).toBe(404)
})
