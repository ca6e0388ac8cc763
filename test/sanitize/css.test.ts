import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { styleAttribute, styleSheet } from '../../routers/rendering/sanitize/css.ts'

describe('sanitizing a style sheet', () => {
  const kept: string[] = [
    'a > b { color: red } /* a comment: url(javascript:) */',
    "@property --a { inherits: false } b { content: 'a \\'b\\' javascript:' }",
    'a { background: url(/b.png), url("c.png"), url( \'https://d.test/e.png\' ) }',
    'a { background: url("data:image/svg+xml,%3Csvg/%3E") } @font-face { src: url(data:font/woff2;base64,AA==) }',
    '@import "https://a.test/b.css"; @import url(c.css) screen;',
    '@media (400px <= width <= 900px) { a { b: c } }',
    '.a\\:b { c: d } .\\31 0 { e: f }',
  ]
  it.each(kept)('keeps harmless content as written: %s', sheet => {
    expect(styleSheet(sheet)).toBe(sheet)
  })

  const changed: Array<[string, string, string]> = [
    [
      'escapes a type in @property without changing its meaning',
      '@property --a{syntax:"<color>"}',
      '@property --a{syntax:"\\3c color>"}',
    ],
    ['adds a space after the `<` of a comparison', '@media (1px<width){}', '@media (1px< width){}'],
    [
      'removes the start of a comment that hid style sheets from old browsers',
      '<!-- a{b:c} -->',
      '  a{b:c} -->',
    ],
    ['breaks up an end tag in a comment', '/* </style> */', '/* < /style> */'],
    ['escapes an end tag in a string', 'a{content:"</style>"}', 'a{content:"\\3c /style>"}'],
    [
      'escapes markup in an address',
      'a{b:url("data:image/svg+xml,<svg/>")}',
      'a{b:url("data:image/svg+xml,\\3c svg/>")}',
    ],
    ['empties an address that runs a script', 'a{b:url( "javascript:c" )}', 'a{b:url()}'],
    [
      'empties an address that runs a script and is written with escapes',
      'a{b:url(\\6a ava\\73 cript:c)}',
      'a{b:url()}',
    ],
    ['empties an import that runs a script', '@import "javascript:a";', '@import "";'],
    ['empties an HTML page in a data: address', 'a{b:url(data:text/html,c)}', 'a{b:url()}'],
  ]
  it.each(changed)('%s', (_, sheet, result) => {
    expect(styleSheet(sheet)).toBe(result)
  })

  const pieces = fc.constantFrom(
    '<',
    '/',
    '!',
    '--',
    'style',
    '>',
    '"',
    "'",
    '\\',
    '/*',
    '*/',
    'url(',
    ')',
    '@import',
    ' ',
    '\n',
    'javascript:',
    'a',
    '\f',
    '3c',
  )
  const sheets = fc.array(pieces, { maxLength: 25 }).map(parts => parts.join(''))

  it('never returns the start of an HTML tag or comment', () => {
    fc.assert(
      fc.property(sheets, sheet => {
        expect(styleSheet(sheet)).not.toMatch(/<[/!?a-z]/i)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([styleSheet, styleAttribute])('gives the same result if %o is applied once or twice', clean => {
    fc.assert(
      fc.property(sheets, sheet => {
        expect(clean(clean(sheet))).toBe(clean(sheet))
      }),
      { numRuns: 3000 },
    )
  })
})
