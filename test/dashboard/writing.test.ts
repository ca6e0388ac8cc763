import { beforeAll, describe, expect, it, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()
let person: Person
let other: Person

beforeAll(async () => {
  ;[person, other] = await Promise.all([service.signUp(), service.signUp()])
})

const stored = (post_id: string) => person.writing.get({ post_id })

describe('the Markdown of a post', () => {
  it('is kept if the post is written in the dashboard, before and after it is published', async () => {
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: '# One' })
    expect(await stored(id)).toMatchObject({ markdown: '# One', html: null, document: null })
    await person.writing.updateDraft({ post_id: id, format: 'markdown', markdown: '# Two' })
    await person.writing.publish({ post_id: id })
    expect(await stored(id)).toMatchObject({ markdown: '# Two', published: true })
    await person.writing.revise({ post_id: id, format: 'markdown', markdown: '# Three' })
    expect(await stored(id)).toMatchObject({ markdown: '# Three', document: null })
  })

  it('is never returned by an API', async () => {
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: 'the *source*' })
    const { body } = await person.api.get(`/posts/${id}`)
    expect(JSON.stringify(body)).not.toContain('the *source*')
    expect(body).not.toHaveProperty('markdown')
    expect(JSON.stringify(await person.posts.get({ post_id: id }))).not.toContain('the *source*')
  })

  it('is not kept for a post created through the API: only its document is stored', async () => {
    const { id } = (await person.api.post<{ id: string }>('/posts', { format: 'markdown', markdown: '# A' }))
      .body
    expect(await stored(id)).toMatchObject({
      format: 'rich',
      markdown: null,
      html: null,
      document: expect.stringContaining('<h1>A</h1>'),
    })
  })

  it('is deleted when the body is replaced through the API, or by a body in another format', async () => {
    const { id } = await person.writing.createDraft({ format: 'markdown', markdown: '# A' })
    await person.api.patch(`/posts/${id}`, { format: 'markdown', markdown: '# B' })
    expect((await stored(id)).markdown).toBeNull()
    await person.writing.updateDraft({ post_id: id, format: 'markdown', markdown: '# C' })
    await person.writing.updateDraft({ post_id: id, format: 'html', html: 'x' })
    expect(await stored(id)).toMatchObject({ format: 'html', html: 'x', markdown: null })
  })

  it('gives the post a new updated_at when the Markdown changes, but not when the Markdown is deleted', async () => {
    const { id, updated_at } = await person.writing.createDraft({ format: 'markdown', markdown: 'a' })
    const changed = await person.writing.updateDraft({ post_id: id, format: 'markdown', markdown: 'a\n' })
    expect(changed.updated_at > updated_at).toBe(true)
    const { body } = await person.api.patch(`/posts/${id}`, { format: 'markdown', markdown: 'a' })
    expect(body).toMatchObject({ updated_at: changed.updated_at })
  })
})

describe('a post that was changed after the caller read it', () => {
  it('is not overwritten', async () => {
    const { id, updated_at } = await person.writing.createDraft({ html: 'first' })
    await person.writing.updateDraft({ post_id: id, html: 'second', updated_at })
    const late = person.writing.updateDraft({ post_id: id, html: 'late', updated_at })
    expect(await errorCodeOf(late)).toBe('post_changed')
    expect((await stored(id)).html).toBe('second')
  })

  it('is saved by only one of several concurrent calls', async () => {
    const { id, updated_at } = await person.writing.createDraft({ html: 'first' })
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(n =>
        errorCodeOf(person.writing.updateDraft({ post_id: id, html: `by ${n}`, updated_at })),
      ),
    )
    expect(outcomes.filter(outcome => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter(outcome => outcome === 'post_changed')).toHaveLength(3)
  })

  it('is not published if the caller sends an outdated updated_at', async () => {
    const { id, updated_at } = await person.writing.createDraft({ html: 'first' })
    const { updated_at: now } = await person.writing.updateDraft({ post_id: id, html: 'second' })
    expect(await errorCodeOf(person.writing.publish({ post_id: id, updated_at }))).toBe('post_changed')
    expect((await stored(id)).published).toBe(false)
    expect(await person.writing.publish({ post_id: id, updated_at: now })).toMatchObject({ published: true })
  })

  it('cannot be updated as a draft if it was published in the meantime', async () => {
    const { id, updated_at } = await person.writing.createDraft({ html: 'first' })
    await person.writing.publish({ post_id: id })
    expect(await errorCodeOf(person.writing.updateDraft({ post_id: id, html: 'x', updated_at }))).toBe(
      'post_changed',
    )
  })

  it('is reported as not found if it was deleted in the meantime', async () => {
    const { id, updated_at } = await person.writing.createDraft({ html: 'first' })
    await person.writing.deleteDraft({ post_id: id })
    expect(await errorCodeOf(person.writing.updateDraft({ post_id: id, html: 'x', updated_at }))).toBe(
      'post_not_found',
    )
  })

  it('cannot be updated with a malformed updated_at', async () => {
    const { id } = await person.writing.createDraft({ html: 'first' })
    for (const updated_at of ['', 'yesterday', '2026-11-21', '2026-11-21T00:00:00Z'])
      expect(await errorFields(person.writing.updateDraft({ post_id: id, html: 'x', updated_at }))).toEqual([
        'updated_at',
      ])
  })
})

describe('revising a published post', () => {
  it('immediately changes what readers see, but cannot change the tags', async () => {
    const { id, updated_at } = await person.posts.create({ html: 'x', tags: ['a'] })
    const revised = await person.writing.revise({ post_id: id, html: 'y', updated_at })
    expect(revised).toMatchObject({ tags: ['a'], published: true })
    expect((await other.posts.get({ post_id: id })).html).toBe('y')
    expect(await errorFields(person.writing.revise({ post_id: id, html: 'y', tags: [] } as never))).toEqual([
      'tags',
    ])
    expect(await errorCodeOf(person.writing.revise({ post_id: id, html: 'z', updated_at }))).toBe(
      'post_changed',
    )
  })

  it('is possible only for your own published posts', async () => {
    const draft = (await person.writing.createDraft({ html: 'x' })).id
    const foreign = (await other.posts.create({ html: 'x' })).id
    for (const post_id of [draft, foreign, 'a'.repeat(16), 'x']) {
      const call = person.writing.revise({ post_id, html: 'y', updated_at: '2026-11-21T00:00:00.000Z' })
      expect(await errorCodeOf(call)).toBe(post_id === draft ? 'post_changed' : 'post_not_found')
      expect(await errorCodeOf(person.writing.revise({ post_id, html: 'y' }))).toBe('post_not_found')
    }
  })
})

describe('a preview', () => {
  test.each([
    { html: '<p>as it <script>is</script>' },
    { format: 'markdown' as const, markdown: '# A\n\n<b>text</b> **bold**' },
    { format: 'reblog' as const, url: 'https://beans.example/x', text: 'Read & see' },
  ])('returns the document that readers would get: %j', async body => {
    const { document } = await person.writing.preview(body)
    const { id } = await person.posts.create(body)
    expect(document).toBe((await person.posts.get({ post_id: id })).html)
  })

  it('validates the body as saving does, and stores nothing', async () => {
    const before = await person.posts.list({})
    expect(await errorFields(person.writing.preview({ html: ' ' }))).toEqual(['html'])
    expect(
      await errorFields(person.writing.preview({ format: 'reblog', url: 'javascript:alert(1)' })),
    ).toEqual(['url'])
    expect(await errorFields(person.writing.preview({ html: 'x'.repeat(1_048_577) }))).toEqual(['html'])
    expect(await person.posts.list({})).toEqual(before)
  })

  it('is refused while another preview of the same account runs', async () => {
    const slow = { format: 'markdown' as const, markdown: '*a '.repeat(50_000) }
    const quick = { html: 'x' }
    const [, second, foreign] = await Promise.all([
      person.writing.preview(slow),
      errorCodeOf(person.writing.preview(quick)),
      errorCodeOf(other.writing.preview(quick)),
    ])
    expect(second).toBe('rate_limited')
    expect(foreign).toBeUndefined()
    expect(await errorCodeOf(person.writing.preview(quick))).toBeUndefined()
  })

  it('is refused after 120 previews per minute, with an error that says how many seconds to wait', async () => {
    const busy = await service.signUp()
    for (let i = 0; i < 120; i++) await busy.writing.preview({ html: 'x' })
    await expect(busy.writing.preview({ html: 'x' })).rejects.toMatchObject({
      problem: 'rate_limited',
      circumstances: { retryAfter: expect.any(Number) },
    })
  })
})

test('the writing procedures need a session', async () => {
  const { writing } = service.anonymous()
  for (const call of [
    writing.list({}),
    writing.get({ post_id: 'x' }),
    writing.revise({ post_id: 'x', html: 'x' }),
    writing.preview({ html: 'x' }),
  ])
    expect(await errorCodeOf(call)).toBe('sign_in_required')
})
