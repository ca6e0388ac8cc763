/** Generates pages that are well-formed except for occasional mistakes. */
import * as fc from 'fast-check'

const words = (list: string): string[] => list.split(/\s+/)

const inline = words('span b i a em code font nobr ruby rt rp my-card small u q time data bdi')
const block = words(
  'div p section article h1 h2 ul ol li dl dt dd blockquote pre details summary figure center menu dir dialog marquee',
)
const tables = words('table caption colgroup thead tbody tfoot tr td th')
const unusual = words(
  'form label button select option textarea svg math xmp title style head body html noscript template',
)

const attribute = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      ' class=a',
      ' id="b"',
      " title='c & d'",
      ' hidden',
      ' HREF=/a?b=1&c=2',
      ' href="/a?b=1&amp;copy=2"',
      ' href="/a&copy=2"',
      ' title="&lt;b&gt; &#39; &quot; &nbsp; &#160;"',
      ' onclick="a()"',
      ' style="color: red; background: url(javascript:x)"',
      ' class=a class=b',
      ' data-x = "y" ',
      '\n  lang="en"\t',
      ' value=a/',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(' title="&copy x"', ' a/b', ' a="1"b="2"', ' a=b"c', ' =a') },
)

const text = fc.oneof(
  {
    weight: 15,
    arbitrary: fc.constantFrom(
      'x',
      ' ',
      '\n',
      '\n\n',
      'a b',
      ' & ',
      '&amp;',
      '&lt;p&gt;',
      '&#39;',
      '&#x41;',
      '&nbsp;',
      '\u00a0',
      '&mdash;',
      '>',
      '"',
      '<br>',
      '<br/>',
      '<img src=/a alt="b">',
      '<!-- c -->',
      '<link rel=stylesheet href=/a>',
      '<style>p > a { content: "</b>" }</style>',
      '<title>a < b &amp; c</title>',
      '<meta name=a content=b>',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('&#128;', '&notin;', '&ampx', 'R&D', '<hr />', '<!---->', '<!-->', '\r'),
  },
)

const mistake = fc.constantFrom(
  '',
  '',
  '',
  '',
  '',
  '',
  '',
  '',
  '</p>',
  '<',
  '</',
  '<p',
  '</b >',
  '<b>',
  '</td>',
  '&',
)

const attributes = fc.array(attribute, { maxLength: 3 }).map(list => list.join(''))

const content = fc.letrec<{ inner: string }>(tie => {
  const element = (names: string[]) =>
    fc
      .tuple(fc.constantFrom(...names), attributes, tie('inner'), mistake)
      .map(([name, list, inner, wrong]) => `<${name}${list}>${inner}${wrong}</${name}>`)
  const row = tie('inner').map(inner => `<tr><td>${inner}</td>\n<td>x</td></tr>`)
  const table = fc
    .array(
      fc.oneof(
        row,
        row.map(rows => `<tbody>${rows}</tbody>`),
        row.map(rows => `<thead>\n${rows}</thead>`),
      ),
      {
        maxLength: 3,
      },
    )
    .map(rows => `<table>\n${rows.join('\n')}</table>`)
  const node = fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    { weight: 80, arbitrary: text },
    { weight: 40, arbitrary: element(inline) },
    { weight: 40, arbitrary: element(block) },
    { weight: 20, arbitrary: table },
    { weight: 1, arbitrary: element(tables) },
    { weight: 1, arbitrary: element(unusual) },
  )
  return { inner: fc.array(node, { maxLength: 4 }).map(nodes => nodes.join('')) }
}).inner

const head = fc
  .array(
    fc.constantFrom(
      '<meta charset=utf-8>',
      '<title>x</title>',
      '\n',
      '<style>a{}</style>',
      '<base href=/>',
      '<p>',
    ),
    {
      maxLength: 4,
    },
  )
  .map(parts => parts.join(''))

const doctype = fc.constantFrom(
  '',
  '<!DOCTYPE html>',
  ' <!doctype HTML >\n',
  '\ufeff<!doctype html>',
  '<!doctype>',
)

/** A complete page, or a fragment of one. */
export const plainPages: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(doctype, content).map(parts => parts.join('')),
  fc.tuple(doctype, head, content).map(parts => parts.join('')),
  fc
    .tuple(doctype, head, content, fc.constantFrom('', '\n', 'x', '<!-- y -->', '<p>'))
    .map(
      ([start, inHead, inBody, after]) =>
        `${start}<html>${after}<head>\n${inHead}</head>\n<body>${inBody}\n</body>${after}</html>${after}`,
    ),
)
