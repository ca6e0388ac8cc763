import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizePlain } from '../../routers/rendering/sanitize/plain.ts'
import { sanitizeParsed } from '../../routers/rendering/sanitize/sanitize.ts'
import { active } from './fixtures/active.ts'
import { addressPlaces, runningAddresses } from './fixtures/addresses.ts'
import { mutation } from './fixtures/mutation.ts'
import { pagesWithOmittedTags, tagSequences } from './omitted-tags.ts'
import { pages } from './pages.ts'
import { plainPages } from './plain-pages.ts'
import { pagesWithRemovedMarkup, references } from './removed-markup.ts'

/** Sanitizes a page without building a tree. Returns the result only if it differs from the result with a tree. */
function difference(html: string): string | undefined {
  const plain = sanitizePlain(html)
  return plain === undefined || plain === sanitizeParsed(html) ? undefined : plain
}

describe('sanitizing a page without building a tree', () => {
  const fixtures = Object.values({ ...active, ...mutation }).flat()
  it.each(fixtures)('gives the same result as with a tree: %s', (_, html) => {
    expect(difference(html)).toBeUndefined()
  })

  it('gives the same result for disguised addresses as with a tree', () => {
    const places = addressPlaces.flatMap(place =>
      runningAddresses.map(address => `<p>${place.replaceAll('%', () => address)}</p>`),
    )
    expect(places.filter(html => difference(html) !== undefined)).toEqual([])
  })

  it('gives the same result for broken markup as with a tree', () => {
    fc.assert(
      fc.property(pages, page => {
        expect(difference(page)).toBeUndefined()
      }),
      { numRuns: 1500 },
    )
  })

  it('gives the same result for nearly well-formed pages as with a tree', () => {
    fc.assert(
      fc.property(plainPages, page => {
        expect(difference(page)).toBeUndefined()
      }),
      { numRuns: 1500 },
    )
  })

  it('works for most pages with removed markup, and gives the same result as with a tree', () => {
    let read = 0
    const runs = 1500
    fc.assert(
      fc.property(pagesWithRemovedMarkup, page => {
        expect(difference(page)).toBeUndefined()
        if (sanitizePlain(page) !== undefined) read += 1
      }),
      { numRuns: runs },
    )
    expect(read).toBeGreaterThan(runs / 2)
  })

  it('gives the same result for character references as with a tree', () => {
    fc.assert(
      fc.property(references, references, (text, value) => {
        const page = `<p title="${value}">${text}</p><pre>${text}</pre>`
        expect(sanitizePlain(page)).toBe(sanitizeParsed(page))
        expect(difference(`${text}<p>x`)).toBeUndefined()
        expect(difference(`<title>${text}</title>${text}<p>x</p></body>${text}`)).toBeUndefined()
      }),
      { numRuns: 1500 },
    )
  })

  it('works for most pages with omitted tags, and gives the same result as with a tree', () => {
    let read = 0
    const runs = 1500
    fc.assert(
      fc.property(pagesWithOmittedTags, page => {
        expect(difference(page)).toBeUndefined()
        if (sanitizePlain(page) !== undefined) read += 1
      }),
      { numRuns: runs },
    )
    expect(read).toBeGreaterThan(runs / 2)
  })

  const beginnings = [
    '',
    '<!doctype html><ul><li>',
    '<!doctype html><dl><dd><p>',
    '<!doctype html><table><tr><td>',
    '<ruby>',
  ]
  it.each(beginnings)(
    'gives the same result for short sequences of tags after %j as with a tree',
    beginning => {
      const different = tagSequences(beginning)
        .filter(page => difference(page) !== undefined)
        .toArray()
      expect(different).toEqual([])
    },
  )

  it('works for most pages that are already sanitized, and gives the same result as with a tree', () => {
    let read = 0
    const runs = 1000
    fc.assert(
      fc.property(pages, page => {
        const sanitized = sanitizeParsed(page)
        expect(difference(sanitized)).toBeUndefined()
        if (sanitizePlain(sanitized) !== undefined) read += 1
      }),
      { numRuns: runs },
    )
    expect(read).toBeGreaterThan(runs / 2)
  })
})

describe('the pages that can be sanitized without a tree', () => {
  const plain: string[] = [
    '<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset="utf-8">\n<title>A &amp; b</title>\n</head>\n<body>\n<p>x</p>\n</body>\n</html>\n',
    '<p class=a hidden>x<br/>y<br />z &copy; R & D &#39;q&#39;</p>',
    '<style>p > a {}</style>\n<h1>x</h1><!-- a comment -->',
    '<table><tr><td>a</td></tr>\n<tr><td>b</td></tr></table>',
    '<table><thead><tr><th>a</th></tr></thead><tr><td>b</td></tr><tbody><tr><td>c</td></tr></tbody></table>',
    '<a href="/a?b=1&c=2&amp;d=3">x</a><pre>\n\nx</pre>',
    'text & more <my-card>x</my-card>',
    '<p onclick="x()" onclick="y()">x<a href="javascript:x()">y</a></p>',
    '<meta name=x content=y><link rel=preload href=/a><p>x</p>',
    '<p>x<p>y<hr>z<div><p>x</div>',
    '<ul><li>a<li>b<p>c<p>d<ol><li>e</ol></ul>',
    '<dl><dt>a<dd>b<p>c<dt>d<dd>e</dl>',
    '<table><tr><td>a<td>b<tr><th>c<td><p>d</table>x',
    '<table><caption>a<colgroup><col><thead><tr><th>b<tbody><tr><td>c<tfoot><tr><td>d</table>',
    '<table><col><tr><td><table><tr><td>a</table><td>b</table>',
    '<ruby>a<rp>(<rt>b<rp>)</ruby>',
    '<!doctype html><p>x<table><tr><td>y</table>',
    '<!doctype html><html><head><title>x</title><body><p>y</body>\n</html>\n',
    '<ul><li>a</ul><p>b</html>\n',
    '<p>&notit; &copy x, AT&T &frac12; &AMP; &#128;</p><a href="?a&copy=1&reg;&para">x</a>',
    '&#32;x<pre>&#10;y</pre><pre>&#10;\n&#9;z</pre>',
    '<p title="a\r\nb">a\r\nb\rc</p><pre>\r\nx</pre><style>a\r\nb</style>\r\n',
    '<p @click="x()" :class="y">z</p>',
    '<p>x<label for=a>y <input id=a></label> <output>z</output></p>',
    '<card a=b><b>x</b></card>',
    '<p>a <svg viewBox="0 0 1 1"><title>t</title><g><path d="M0 0"/><linearGradient></lineargradient></g></svg> b</p>',
    '<svg/><b><svg><desc>x</desc><rect></rect></svg>y</b>',
    '<script src=/a></script><title>x</title><p>y<script>if (a<b) "</p>"</script>z</p>',
    '<table><script>1</script><tr><td>a</table>',
  ]
  it.each(plain)('include %j', html => {
    expect(sanitizePlain(html)).toBe(sanitizeParsed(html))
  })

  const others: string[] = [
    '<p>x</p></p>',
    '<ul><li>a<li>b</ul></li>',
    '<p><b>x<p>y',
    '<ul><li><b>a<li>b</ul>',
    '<ul><li><div>a<li>b</div></ul>',
    '<p>x<span><div>y</div></span>',
    '<table><tr><td><b>a<td>b</table>',
    '<table><tr><td>a',
    '<table><tbody><td>a</table>',
    '<ruby><rtc>a<rt>b</ruby>',
    '<div>x',
    '<p><div>x</div></p>',
    '<p>x</p><script><!-- <script> --></script>',
    '<p>x</p><script>1',
    '<svg><p>x</p></svg>',
    '<svg><title><path/></title></svg>x',
    '<svg><g></svg>',
    '<svg><style></style></svg>',
    '<svg><![CDATA[x]]></svg>',
    '<svg><path></p></svg>',
    '<table><svg></svg></table>',
    '<table><input type=hidden></table>',
    '<h1><label><h2>x</h2></label></h1>',
    '<ruby><rt><label><rt>x</rt></label></rt></ruby>',
    '<p><label>x</p></label>',
    '<card/>x',
    '<math></math>',
    '<form></form>',
    '<xmp>x</xmp>',
    '<table><td>x</td></table>',
    '<table>x</table>',
    '<p a="1"b="2">x</p>',
    '<div/>x</div>',
    '<p>a\0b</p>',
    '<!DOCTYPE html PUBLIC "x"><p>x</p>',
    '<p>x</p><!-- a --!> b -->',
    '<p>x</p><!--> b --><p>y</p>',
    '<p>x</p><!---> b --><p>y</p>',
    '<p>x</p><!-- b',
    '<a><a>x</a></a>',
    '<body></body>x',
    '<head></head><title>x</title>',
    '<title>x',
    '',
  ]
  it.each(others)('exclude %j', html => {
    expect(sanitizePlain(html)).toBeUndefined()
  })
})
