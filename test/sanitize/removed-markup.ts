/** Generates pages with mostly well-formed markup that sanitizing removes, and text full of character references. */
import * as fc from 'fast-check'

const join = (parts: readonly string[]): string => parts.join('')
const several = (part: fc.Arbitrary<string>, maxLength = 4) => fc.array(part, { maxLength }).map(join)
const rarely = (usual: string, unusual: string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 40, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...unusual) },
  )
const element = (name: string, content: fc.Arbitrary<string>, attributes = '') =>
  fc
    .tuple(content, rarely(`</${name}>`, ['', '</p>', '</br>', `</${name} >`, `</${name.toUpperCase()}>`]))
    .map(([inner, end]) => `<${name}${attributes}>${inner}${end}`)

const pieces = [
  'x',
  ' ',
  '\n',
  '\r\n',
  '\r',
  'a < b',
  '<!-- c -->',
  '&amp;',
  '&#10;',
  '&#13;',
  '&#32;x',
  '&nbsp;',
  ']]>',
  '<br>',
  '<img src=/a>',
  '<hr/>',
  '<input value="</b>">',
  '<input type=hidden />',
]
const text = fc.constantFrom(...pieces.filter(piece => piece !== 'a < b'))

const shapes = ['path', 'circle', 'use', 'stop', 'image', 'text', 'linearGradient', 'feGaussianBlur']
const drawing = fc.letrec<{ inner: string }>(tie => ({
  inner: several(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 8, arbitrary: fc.constantFrom('x', ' ', '\n', '&lt;', '<!-- c -->') },
      {
        weight: 8,
        arbitrary: fc.constantFrom(...shapes).map(name => `<${name} d="M0 0" xlink:href="#a" />`),
      },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom('g', 'defs', 'symbol', 'svg', 'clipPath', 'text')
          .chain(name => element(name, tie('inner'))),
      },
      {
        weight: 3,
        arbitrary: fc
          .constantFrom('title', 'desc')
          .chain(name => element(name, rarely('t &amp; u', ['<b>x</b>', '<path/>', '\n']))),
      },
      {
        weight: 1,
        arbitrary: rarely('', [
          '<p>',
          '<b>x</b>',
          '<font color=red>',
          '<style>a{}</style>',
          '<script>1</script>',
          '<![CDATA[<b>]]>',
          '<foreignObject><p>x</p></foreignObject>',
          '<math>',
          '<a>x</a>',
          '<title>',
        ]),
      },
    ),
  ),
})).inner

const script = fc.constantFrom('', '1', 'if (a < b) "</p>"', '<b>', '<script>', '{"@context": "x"}', '\r\n')
const content = fc.letrec<{ inner: string }>(tie => {
  const named = (names: string[]) =>
    fc.constantFrom(...names).chain(name => element(name, tie('inner'), ' class=a'))
  const row = tie('inner').map(inner => `<tr><td>${inner}<td>x`)
  return {
    inner: several(
      fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        { weight: 40, arbitrary: text },
        {
          weight: 16,
          arbitrary: named(['label', 'legend', 'output', 'canvas', 'slot', 'card', 'font-face', 'x-card']),
        },
        { weight: 8, arbitrary: named(['b', 'span', 'code', 'nobr', 'ruby']) },
        { weight: 6, arbitrary: named(['div', 'section', 'pre', 'ul', 'details']) },
        { weight: 4, arbitrary: row.map(rows => `<table>${rows}</table>`) },
        { weight: 16, arbitrary: element('svg', drawing, ' viewBox="0 0 1 1"') },
        { weight: 8, arbitrary: element('script', script, ' src=/a') },
        { weight: 1, arbitrary: named(['p', 'a', 'h1', 'li', 'dd', 'rt']) },
        {
          weight: 1,
          arbitrary: rarely('', [
            '<label>',
            '</label>',
            '<svg/>',
            '<card/>',
            '<script><!-- <script> </script>',
            '<form>',
            '<button>',
            '<select>',
            '<textarea>',
            '<noscript>',
            '<h2>',
            '<li>',
            '<rt>',
            '</svg>',
          ]),
        },
      ),
    ),
  }
}).inner

const frames: [start: string, end: string][] = [
  ['', ''],
  ['<!doctype html>\r\n', '\r\n'],
  ['&#32;', ''],
  ['<!doctype html><html><head><script>1</script><title>x</title></head><body>', '</body></html>'],
  [
    '<!doctype html><script>1</script><title>x</title><script src=/a></script>\n<body>',
    '</body>\n<!-- c -->',
  ],
]

/** Pages with labels, unknown elements, SVG and scripts. The pages are well-formed except for rare mistakes. */
export const pagesWithRemovedMarkup: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...frames), content)
  .map(([[start, end], inner]) => `${start}${inner}${end}`)

const names =
  'amp AMP lt LT gt quot copy COPY reg para not notin notit sup sup2 frac12 frac1 there4 Uuml uuml uml euro NewLine Tab nbsp ThickSpace CounterClockwiseContourIntegral bne fjlig nope Dagger dagger ETH eth yen shy'.split(
    ' ',
  )
const codes =
  '0 9 10 12 13 32 38 60 127 128 150 159 160 8232 55296 57343 65534 65535 128512 1114111 1114112 99999999999999999999'.split(
    ' ',
  )
const end = fc.constantFrom(';', ';', ';', '', '=', ' ', 'x', '1', '&', ',', '\n')
const reference = fc.oneof(
  fc.tuple(fc.constantFrom(...names), end).map(([name, after]) => `&${name}${after}`),
  fc.tuple(fc.constantFrom(...codes), end).map(([code, after]) => `&#${code}${after}`),
  fc
    .tuple(fc.constantFrom(...codes), end)
    .map(([code, after]) => `&#${after === '=' ? 'X' : 'x'}${BigInt(code).toString(16)}${after}`),
  fc.constantFrom('&', '&#', '&#x', '&#;', '&#x;', '& ', '&&', 'x', ' ', '\n', '\r\n', '\u00a0'),
  fc
    .string({ unit: fc.constantFrom(...'abcdefgiloprtuxACDEN0123;&#='.split('')), maxLength: 6 })
    .map(some => `&${some}`),
)

/** Text in which every ampersand could begin a reference. Has neither tags nor quotation marks. */
export const references: fc.Arbitrary<string> = several(reference)
