import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../db/id.ts'
import { trimDrafts, trimPostHistory } from '../../routers/accounts/trim.ts'
import { errorCodeOf } from '../support/problems.ts'
import { type Person, useTestService } from '../support/test-service.ts'

const service = useTestService()
const DAY = 24 * 60 * 60_000
let author: Person

beforeEach(async () => {
  author = await service.signUp()
})

describe('unsaved edits of a post', () => {
  const fields = {
    format: 'markdown' as const,
    markdown: '# Beans',
    html: '',
    url: '',
    text: '',
    tags: ['a'],
  }

  test('are kept only for the author of the post', async () => {
    const { id: thing } = await author.writing.createDraft({ format: 'markdown', markdown: 'x' })
    await author.unsavedPosts.keep({ thing, is_new: false, fields, base: null })
    expect((await author.unsavedPosts.get({ thing })).draft).toMatchObject({ fields, base: null })
    const other = await service.signUp()
    expect((await other.unsavedPosts.get({ thing })).draft).toBeNull()
    const call = other.unsavedPosts.keep({ thing, is_new: false, fields, base: null })
    expect(await errorCodeOf(call)).toBe('post_not_found')
    await author.unsavedPosts.discard({ thing })
    expect((await author.unsavedPosts.get({ thing })).draft).toBeNull()
  })

  test('are kept after the post is deleted, as long as it can be restored', async () => {
    const { id: thing } = await author.posts.create({ html: '<p>x</p>' })
    await author.unsavedPosts.keep({ thing, is_new: false, fields, base: null })
    await author.posts.delete({ post_id: thing })
    await trimDrafts(service.core.database)
    expect((await author.unsavedPosts.get({ thing })).draft).toMatchObject({ fields })
    const forgotten = { days: 30, versions: 100, bytes: 1_000_000_000 }
    await trimPostHistory(service.core.database, forgotten, new Date(0), new Date(Date.now() + 31 * DAY))
    await trimDrafts(service.core.database)
    expect((await author.unsavedPosts.get({ thing })).draft).toBeNull()
  })

  test.each([
    ['the first heading', { markdown: '\n# Beans & *peas*\n\nThey grow.' }, 'Beans & peas'],
    ['the first paragraph', { markdown: '**They** [grow](https://beans.example) fast.' }, 'They grow fast.'],
    ['the title of the document', { format: 'html' as const, html: '<title>Beans</title><p>x' }, 'Beans'],
    ['the address', { format: 'reblog' as const, url: 'https://beans.example' }, 'https://beans.example'],
    ['nothing, if nothing is written yet', { markdown: '' }, ''],
  ])('are listed with %s', async (_what, written, name) => {
    const thing = newId()
    await author.unsavedPosts.keep({ thing, is_new: true, fields: { ...fields, ...written }, base: null })
    const { drafts } = await author.unsavedPosts.list({})
    expect(drafts).toEqual([{ thing, is_new: true, name, updated_at: expect.any(String) as string }])
  })
})
