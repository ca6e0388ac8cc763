import { describe, expect, it } from 'vitest'
import { PageTooComplex } from '../../routers/rendering/sanitize/bounds.ts'
import { sanitize } from '../../routers/rendering/sanitize/sanitize.ts'
import { problemsIn } from './oracle.ts'

const distinct = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

describe('pages of extreme shapes', () => {
  const shapes: Array<[string, string]> = [
    ['100,000 nested blocks', `${'<div>'.repeat(100_000)}x`],
    ['100,000 nested unknown elements', `${'<x-y>'.repeat(100_000)}x`],
    ['50,000 nested tables', `${'<table><td>'.repeat(50_000)}x`],
    ['100,000 nested formatting elements', `${'<b>'.repeat(100_000)}x`],
    ['50,000 nested SVG elements', `${'<g>'.repeat(50_000).replace('<g>', '<svg>')}x`],
    ['50,000 nested templates', `${'<template>'.repeat(50_000)}x`],
    ['50,000 elements that the parser moves out of a table', `<table>${'<b>x</b>'.repeat(50_000)}`],
    ['60,000 attributes', `<p ${distinct(30_000, i => `a${i}=1 data-a${i}=1 `)}>x`],
    ['30,000 event attributes', `<p ${distinct(30_000, i => `on${i}=alert(1) `)}>x`],
    ['a long attribute', `<p title="${'x"\'<'.repeat(50_000)}">`],
    ['a long list of pictures', `<img srcset="${'/a 1x, '.repeat(40_000)}">`],
    ['a style sheet of unclosed strings and comments', `<style>${'url("/*'.repeat(40_000)}`],
    ['50,000 comment openings', '<!--'.repeat(50_000)],
    ['200,000 less-than signs', '<'.repeat(200_000)],
  ]
  it.each(shapes)(
    'become safe when they are sanitized, and sanitizing them again changes nothing: %s',
    (_, html) => {
      const once = sanitize(html)
      expect(problemsIn(once)).toEqual([])
      expect(sanitize(once) === once).toBe(true)
    },
  )

  it('keep their text if their elements are nested too deeply', () => {
    const page = sanitize(`${'<div>'.repeat(1000)}deep${'</div>'.repeat(1000)}after`)
    expect(page).toContain('deep')
    expect(page).toContain('after')
    expect(page.split('<div>').length - 1).toBe(254)
  })

  it('are rejected if a parser would reopen thousands of elements in every paragraph', () => {
    const page = `<div>${distinct(2000, i => `<i id=${i}>`)}</div>${'<p>x</p>'.repeat(2000)}`
    expect(() => sanitize(page)).toThrow(PageTooComplex)
  })

  it('are rejected if a parser would repeat a long attribute in every paragraph', () => {
    const page = `<p><b title="${'x'.repeat(50_000)}">${'<p>x'.repeat(2000)}`
    expect(() => sanitize(page)).toThrow(PageTooComplex)
  })

  it('are accepted if a parser would reopen only a few elements in every paragraph', () => {
    const page = `<p><font color=red><b><i>${'<p>some words of a paragraph</p>'.repeat(2000)}`
    expect(sanitize(page)).toContain('some words')
  })
})
