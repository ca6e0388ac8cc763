import { beforeAll, describe, expect, test } from 'vitest'
import { requestHost } from '../support/request-host.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { mainSiteOf } from './support/main-site.ts'

const service = useTestService({ operators: ['chief'] })
let chief: Person

beforeAll(async () => {
  chief = await service.signUp('chief')
})

/** Returns a function that opens pages of the main site with a person's session. */
const reading = async (person: Person) => (await mainSiteOf(service, person)).get

const suspend = ({ handle }: Person) => chief.suspensions.add({ handle, reason: 'You only advertise.' })

describe('a post of a suspended author', () => {
  test('is visible only to operators, and its page has no forms', async () => {
    const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
    const { id } = await author.posts.create({ format: 'markdown', markdown: 'Buy *beans*' })
    await reader.comments.create({ post_id: id, body: 'No, thanks' })
    await suspend(author)
    const path = `/posts/${id}`
    const { status, text, headers } = await (await reading(chief))(path)
    expect(status).toBe(200)
    expect(text).toContain('Buy <em>beans</em>')
    expect(text).toContain('No, thanks')
    expect(text).toContain('only operators can see this post')
    expect(text).not.toMatch(/<form|Report|Open full page/)
    expect(headers['cache-control']).toBe('private, no-cache')
    const others = [await reading(reader), await reading(author)]
    for (const get of others) expect((await get(path)).status).toBe(404)
    expect((await requestHost(service, 'localhost', path)).status).toBe(404)
  })

  test('is not served at its own origin if it is HTML; operators see it in a frame without scripts', async () => {
    const author = await service.signUp()
    const { id } = await author.posts.create({ format: 'html', html: '<p title="x">Buy</p>' })
    await suspend(author)
    const { text } = await (await reading(chief))(`/posts/${id}`)
    expect(text).toContain('srcdoc="&lt;p title=&quot;x&quot;&gt;Buy&lt;/p&gt;"')
    expect(text).toContain('sandbox=""')
    expect((await requestHost(service, `${id}.posts.localhost`, '/')).status).toBe(404)
  })
})

describe('a suspended reader', () => {
  test('sees the reason in place of the comment form, and no form to like, follow or report', async () => {
    const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
    const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
    await author.comments.create({ post_id: id, body: 'First' })
    const get = await reading(reader)
    expect((await get(`/posts/${id}`)).text).toContain('<textarea')
    await suspend(reader)
    const { text } = await get(`/posts/${id}`)
    expect(text).toContain('Your account is suspended, so you can’t comment. <a href="/admin">')
    expect(text).not.toMatch(/<textarea|\/like"|\/follow"|\/report/)
    expect((await get(`/@${author.handle}`)).text).not.toContain('/follow"')
  })

  test('can still unlike and unfollow', async () => {
    const [author, reader] = await Promise.all([service.signUp(), service.signUp()])
    const { id } = await author.posts.create({ format: 'markdown', markdown: 'Beans' })
    await reader.likes.add({ post_id: id })
    await reader.follows.add({ handle: author.handle })
    await suspend(reader)
    const get = await reading(reader)
    const { text } = await get(`/posts/${id}`)
    expect(text).toContain('name="like" value="no"')
    expect(text).toContain('name="follow" value="no"')
    expect((await get(`/@${author.handle}`)).text).toContain('name="follow" value="no"')
  })
})
