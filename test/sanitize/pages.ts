/**
 * Generates pages full of attempts to run scripts: well-formed trees, random tags, and trees with stray pieces of
 * markup.
 */
import * as fc from 'fast-check'
import { addressPlaces, runningAddresses } from './fixtures/addresses.ts'

const words = (list: string): string[] => list.split(/\s+/)

const elements = words(`html head body title meta link style script noscript template base
  p div span a b i u nobr font center address article details summary dialog section search hgroup h1 h2 pre listing
  ul ol li dl dd dt menu dir blockquote table caption colgroup col thead tbody tfoot tr td th
  ruby rb rt rtc rp img image picture source video audio track map area br hr wbr marquee
  form fieldset legend label input button select option optgroup datalist textarea output keygen meter progress
  iframe frame frameset noframes noembed object embed applet param portal canvas plaintext xmp
  svg math mrow semantics annotation mfrac mspace math mi mo mtext mglyph malignmark annotation-xml foreignObject desc animate use set
  x-card slot selectedcontent unknown`)

const attributes = [
  'onerror=alert(1)',
  'onload="alert(1)"',
  "onclick='alert(1)'",
  'onfocus=alert(1) autofocus',
  'src=/missing',
  'href="#a"',
  'href=/b',
  'style="color:red"',
  'style="background:url(javascript:alert(1))"',
  'class=c',
  'id=a',
  'title="</style></title></noscript><img src=/m onerror=alert(1)>"',
  'title="--><img src=/m onerror=alert(1)>"',
  'alt="]]><img src=/m onerror=alert(1)>"',
  'encoding="text/html"',
  'http-equiv=refresh content="0;url=/beacon"',
  'rel=stylesheet',
  'name=viewport content=x',
  'type=hidden',
  'shadowrootmode=open',
  'srcdoc="<script>parent.alert(1)</script>"',
  'action=/beacon',
  'ping=/beacon',
  'open',
  'color=red face=x',
  '/',
  '"',
  'data-x="<b>"',
  'attributeName=href values=javascript:alert(1)',
]

const fragments = [
  'x',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '\0',
  '\f',
  '\u00a0',
  '\ufeff',
  '&#13;',
  '&#0;',
  '&amp;lt;',
  '&lt;img src=/m onerror=alert(1)&gt;',
  '<img src=/missing onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<!--',
  '-->',
  '--!>',
  '<!-->',
  '<![CDATA[',
  ']]>',
  '<?x',
  '</',
  '<',
  '>',
  '"',
  "'",
  '</style>',
  '</title>',
  '</script>',
  '</noscript>',
  '</textarea>',
  '</select>',
  '</svg>',
  '</math>',
  '<a title="',
  'p{content:"\\3c/style>"}',
  '@import "javascript:alert(1)";',
  'url(',
  '<!DOCTYPE html>',
  '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">',
]

const name = fc.constantFrom(...elements)
const address = fc
  .tuple(fc.constantFrom(...addressPlaces), fc.constantFrom(...runningAddresses))
  .map(([place, value]) => place.replaceAll('%', () => value))
const startTag = fc
  .tuple(name, fc.array(fc.constantFrom(...attributes), { maxLength: 3 }))
  .map(([element, given]) => `<${[element, ...given].join(' ')}>`)
const endTag = name.map(element => `</${element}>`)
const fragment = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...fragments) },
  { weight: 1, arbitrary: address },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
)

/** Tags and pieces in random order. */
const soup = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: startTag },
      { weight: 2, arbitrary: endTag },
      { weight: 3, arbitrary: fragment },
    ),
    { maxLength: 40 },
  )
  .map(pieces => pieces.join(''))

/** Properly nested elements, chosen at random. */
const tree = fc.letrec<{ node: string; children: string }>(tie => ({
  children: fc.array(tie('node'), { maxLength: 5 }).map(nodes => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fragment,
    fc.tuple(startTag, name, tie('children')).map(([open, close, inner]) => {
      const opened = /^<([a-z0-9-]+)/i.exec(open)?.[1] ?? close
      return `${open}${inner}</${opened}>`
    }),
  ),
})).children

/** A page of any of the kinds above, with or without a doctype. */
export const pages: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('', '', '<!DOCTYPE html>'),
    fc.oneof(
      soup,
      tree,
      fc.tuple(tree, soup).map(parts => parts.join('')),
    ),
  )
  .map(parts => parts.join(''))
