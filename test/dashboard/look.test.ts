import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { contrastOf, faintColors, readLook } from '../../facades/admin/look/read-look.ts'
import { starters } from '../../routers/api/rules.ts'

const look = (value: unknown) => readLook(JSON.stringify(value))

describe('a record is a look', () => {
  it('if its colors are hexadecimal, whatever else it has', () => {
    expect(look({ colors: { text: '#123', paper: '#FFEEDD' }, title: 'Salt', corners: 'round' })).toEqual({
      colors: [
        { name: 'text', light: '#123', dark: undefined },
        { name: 'paper', light: '#FFEEDD', dark: undefined },
      ],
      headings: undefined,
      text: undefined,
      logo: undefined,
      measures: [],
    })
  })

  it.each([
    ['a list', []],
    ['nothing', null],
    ['no colors', { colors: {} }],
    ['colors in a list', { colors: ['#123456'] }],
    ['a color by name', { colors: { text: 'red' } }],
    ['a color that is no text', { colors: { text: 0 } }],
  ])('not if it has %s', (_, value) => expect(look(value)).toBeNull())

  it('not while its JSON is unfinished', () => expect(readLook('{"colors":{"text":"#123"}')).toBeNull())
})

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#fff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
  ])('of %s and %s is %d', (one, other, contrast) => {
    expect(contrastOf(one, other)).toBeCloseTo(contrast, 2)
    expect(contrastOf(other, one)).toBeCloseTo(contrast, 2)
  })

  it('is checked for text on the background, and for each color on another', () => {
    const colors = { background: '#fff', text: '#777', line: '#eee', block: '#000', on_block: '#222' }
    expect(faintColors(look({ colors, dark_colors: { background: '#000', text: '#777' } })!)).toEqual([
      { name: 'text', on: 'background', appearance: 'light', contrast: contrastOf('#777', '#fff') },
      { name: 'on_block', on: 'block', appearance: 'light', contrast: contrastOf('#222', '#000') },
    ])
  })
})

test.each(starters)('the starter %s has a look that is easy to read', starter => {
  const file = new URL(`../../routers/content/starters/sites/${starter}/data/look.json`, import.meta.url)
  const read = readLook(readFileSync(file, 'utf8'))!
  expect(read.measures).toHaveLength(3)
  expect(read.colors.every(({ dark }) => dark !== undefined)).toBe(true)
  expect(faintColors(read)).toEqual([])
})
