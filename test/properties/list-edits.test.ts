import { describe, expect, it } from 'vitest'
import { editList, indexAfter, type ListEdit, listItemOf } from '../../facades/admin/preview/list-edits.ts'

describe('a place in a record', () => {
  it.each([
    [['articles', 2, 'title'], { list: ['articles'], index: 2 }],
    [['program', 0, 'items', 3, 'by'], { list: ['program', 0, 'items'], index: 3 }],
    [['site', 'links', 1], { list: ['site', 'links'], index: 1 }],
    [['site', 'tagline'], undefined],
    [['site'], undefined],
  ] as const)('%j is in its innermost list', (record, item) => {
    expect(listItemOf([...record] as [string, ...(string | number)[]])).toEqual(item)
  })
})

describe('an item of a list', () => {
  const list = ['a', 'b', 'c']

  it.each<[ListEdit, number, string[] | undefined]>([
    ['up', 1, ['b', 'a', 'c']],
    ['down', 1, ['a', 'c', 'b']],
    ['add', 1, ['a', 'b', 'b', 'c']],
    ['remove', 1, ['a', 'c']],
    ['up', 0, undefined],
    ['down', 2, undefined],
    ['add', 3, undefined],
    ['remove', 3, undefined],
  ])('%s from index %i', (edit, index, edited) => {
    expect(editList(list, edit, index)).toEqual(edited)
  })

  it.each<ListEdit>(['up', 'down', 'add'])('is found again after %s', edit => {
    expect(editList(list, edit, 1)![indexAfter(edit, 1)]).toBe('b')
  })
})
