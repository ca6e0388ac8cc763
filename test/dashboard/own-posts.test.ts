import { describe, expect, test } from 'vitest'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()

describe('the list of your own posts', () => {
  test('has drafts and published posts, newest first, with a count of each, and can be filtered', async () => {
    const [person, other] = await Promise.all([service.signUp(), service.signUp()])
    await other.posts.create({ html: 'x' })
    const first = await person.posts.create({ html: 'one' })
    const second = await person.writing.createDraft({ html: 'two', tags: ['a'] })
    const third = await person.posts.create({ html: 'three' })
    const ids = async (show: 'all' | 'drafts' | 'published') =>
      (await person.writing.list({ show })).posts.map(({ id }) => id)
    expect(await ids('all')).toEqual([third.id, second.id, first.id])
    expect(await ids('drafts')).toEqual([second.id])
    expect(await ids('published')).toEqual([third.id, first.id])
    const { posts, ...rest } = await person.writing.list({})
    expect(rest).toEqual({ next: null, drafts: 1, published: 2, deleted: 0 })
    expect(posts[1]).toEqual({ ...second, title: 'two' })
  })

  test('returns each post on exactly one page of results', async () => {
    const person = await service.signUp()
    const ids: string[] = []
    for (let i = 0; i < 33; i++) ids.unshift((await person.writing.createDraft({ html: `${i}` })).id)
    const first = await person.writing.list({ show: 'drafts' })
    expect(first.posts).toHaveLength(30)
    const second = await person.writing.list({ show: 'drafts', cursor: first.next })
    expect([...first.posts, ...second.posts].map(({ id }) => id)).toEqual(ids)
    expect(second.next).toBeNull()
  })

  test('rejects a malformed cursor', async () => {
    const person = await service.signUp()
    for (const cursor of ['', 'x', '1-', '1-1-1', `${'9'.repeat(15)}-1`])
      expect(await errorFields(person.writing.list({ cursor }))).toEqual(['cursor'])
    expect(
      await errorCodeOf(person.writing.list({ cursor: '99999999999999-999999999999999999' })),
    ).toBeUndefined()
  })
})

describe('the title of a post in the list', () => {
  test.each([
    ['its <title>', { html: '<!doctype html><title>Beans &amp; <b>peas</title><p>x' }, 'Beans & <b>peas'],
    [
      'its first words if there is no <title>',
      { html: '<style>p{}</style><p>Beans\n  grow<br>well' },
      'Beans grow well',
    ],
    ['its text without scripts and comments', { html: '<script>let a</script><!-- b --><p>c' }, 'c'],
    ['empty if there is no text', { html: '<script>let a' }, ''],
    ['the first heading of Markdown', { format: 'markdown' as const, markdown: '# Beans\n\ntext' }, 'Beans'],
    [
      'the comment on a shared link',
      { format: 'reblog' as const, url: 'https://a.example/', text: 'Look' },
      'Look',
    ],
    [
      'the host of a shared link if there is no comment',
      { format: 'reblog' as const, url: 'https://a.example/b' },
      'a.example',
    ],
    [
      'shortened when it is long',
      { html: `<title>${'ab '.repeat(100)}</title>` },
      `${'ab '.repeat(33).trim()}…`,
    ],
  ])('is %s', async (_, body, title) => {
    const person = await service.signUp()
    await person.writing.createDraft(body)
    expect((await person.writing.list({})).posts[0]?.title).toBe(title)
  })

  test.each([
    ['with many unclosed titles', '<title'.repeat(170_000)],
    ['with many unclosed comments', '<!--'.repeat(260_000)],
    ['of brackets only', '<'.repeat(1_048_576)],
    ['with many unclosed style elements', '<style>'.repeat(149_000)],
  ])('is found quickly even in a document %s', async (_, html) => {
    const person = await service.signUp()
    for (let i = 0; i < 3; i++) await person.writing.createDraft({ html })
    expect((await person.writing.list({})).posts).toHaveLength(3)
  })
})
