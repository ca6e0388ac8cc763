import { describe, expect, it } from 'vitest'
import { nameAt } from '../../facades/admin/editor/names-in-code.ts'

/** Finds the name at the mark `|` in a template. */
const at = (marked: string) => {
  const offset = marked.indexOf('|')
  const text = marked.slice(0, offset) + marked.slice(offset + 1)
  const found = nameAt(text, offset, ['cup.svg'])
  if (!found) return null
  const { begin, end, ...thing } = found
  return { ...thing, text: text.slice(begin, end) }
}

describe('a template names', () => {
  it.each([
    ['a record', '{{ da|ta.site }}', { kind: 'record', name: 'site', path: [], text: 'data.site' }],
    ['a place in it', '{{ data.my-list[2].title| }}', { name: 'my-list', path: [2, 'title'] }],
    ['a quoted key', `{% for a in data["old|"].b %}`, { name: 'old', path: ['b'] }],
    ['another record in the same tag', '{% if data.a == data.b|.c %}', { name: 'b', path: ['c'] }],
    ['a part', `{% render 'ca|rd', x: data.a %}`, { kind: 'part', name: 'card' }],
    ['a layout', `{%- lay|out "frame" -%}`, { kind: 'part', name: 'frame' }],
    [
      'a file',
      `{% assign f = files | where: "name", "cup.svg" | first %}`
        .replace('cup', 'c|up')
        .replace(' | ', ' ! '),
      { kind: 'file', name: 'cup.svg' },
    ],
  ])('%s', (_, marked, expected) => {
    expect(at(marked)).toMatchObject(expected)
  })

  it.each([
    ['text outside tags', 'data.site| is a path'],
    ['text after an output', '{{ x }} data.site|'],
    ['another variable', '{{ metadata.site| }}'],
    ['a string that is no file', '{{ "unkno|wn.svg" }}'],
    ['an unclosed tag', '{{ data.site|'],
  ])('nothing in %s', (_, marked) => {
    expect(at(marked)).toBeNull()
  })
})
