import { describe, expect, it } from 'vitest'
import { pictureSource, UnquotableName } from '../../facades/admin/preview/picture-source.ts'

const URL = 'https://files.example/new'

/** Replaces what is between `^` and `$` in a template. */
const replaced = (marked: string, by: 'url' | 'name', name = 'new.png') => {
  const text = marked.replace(/[$^]/g, '')
  const begin = marked.indexOf('^')
  const range = { begin, end: marked.indexOf('$') - 1 }
  const { insert, ...at } = pictureSource(text, range, by, { url: URL, name })
  return text.slice(0, at.begin) + insert + text.slice(at.end)
}

describe('another picture in a template', () => {
  it.each([
    ['<img src="^a.png$" alt>', `<img src="${URL}" alt>`],
    ["<img src='^a.png$'>", `<img src="${URL}">`],
    ['<img src=^a.png$>', `<img src="${URL}">`],
    ['<img src="^$">', `<img src="${URL}">`],
  ])('%s gets its address in quotes', (marked, written) => {
    expect(replaced(marked, 'url')).toBe(written)
  })

  it.each([
    ['{% assign i = files | where: "name", "^a.png$" %}', 'b.png', '"b.png"'],
    ["{% if file.name == '^a.png$' %}", 'b.png', "'b.png'"],
    ["{% if file.name == '^a.png$' %}", "it's.png", `"it's.png"`],
    ['{% if file.name == "^a.png$" %}', '12".png', `'12".png'`],
  ])('%s names %s with quotes that the name does not have', (marked, name, literal) => {
    expect(replaced(marked, 'name', name)).toContain(literal)
  })

  it('can’t be named if the name has both kinds of quotes', () => {
    expect(() => replaced('{% if x == "^a$" %}', 'name', `'"`)).toThrow(UnquotableName)
  })
})
