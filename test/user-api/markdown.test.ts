import * as fc from 'fast-check'
import { parseFragment } from 'parse5'
import { afterAll, describe, expect, it } from 'vitest'
import { startMarkdownConverter } from '../../routers/social/posts/markdown/converter.ts'
import { markdownToHtml } from '../../routers/social/posts/markdown/to-html.ts'
import { elementsOf } from './support/html.ts'

/** Elements that Markdown can produce, except links and images. */
const PLAIN =
  'p em strong s code pre ul ol li hr br blockquote table thead tbody tr th td h1 h2 h3 h4 h5 h6'.split(' ')

/** Pieces of Markdown syntax and of attacks, from which random texts are generated. */
const PIECES = [
  ...'[ ]( ) ![ < > " \' ` ``` * _ ~~ # | |-| \\ x / = script svg onerror= data: javascript:'.split(' '),
  ' ',
  '\n',
  '\n\n',
  '- ',
  '> ',
  '\t',
  '\u0001',
  '&#60;',
  '&lt;',
  'a@b.test',
  'https://a.test',
  '<b x="',
  '<img src=x onerror=y>',
]

describe('Markdown', () => {
  it.each([
    ['*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>\n'],
    ['# A\n\n- b\n\n1. c', '<h1>A</h1>\n<ul>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>\n'],
    ['```js\n<b>&\n```', '<pre><code class="language-js">&lt;b&gt;&amp;\n</code></pre>\n'],
    ['![a "b"](https://c.test/d.png)', '<p><img src="https://c.test/d.png" alt="a &quot;b&quot;"></p>\n'],
    ['> a\n\n---', '<blockquote>\n<p>a</p>\n</blockquote>\n<hr>\n'],
  ])('becomes HTML: %j', (markdown, html) => {
    expect(markdownToHtml(markdown)).toBe(html)
  })

  it('has tables whose alignment uses classes, not style attributes', () => {
    const html = markdownToHtml('|a|b|c|\n|-|:-:|-:|\n|1|2|3|')
    expect(html).toContain('<th>a</th>\n<th class="align-center">b</th>\n<th class="align-right">c</th>')
    expect(html).toContain('<td>1</td>\n<td class="align-center">2</td>')
    expect(html).not.toContain('style')
  })

  it.each([
    '[a](https://b.test)',
    '<https://b.test>',
    'https://b.test',
    'a@b.com',
    '<a@b.test>',
    '[a][b]\n\n[b]: https://b.test',
  ])('marks each link as user-generated: %j', markdown => {
    const link = elementsOf(markdownToHtml(markdown)).find(({ name }) => name === 'a')
    expect(link!.attributes.rel).toBe('noopener nofollow ugc')
  })

  it.each(['README.md', 'b.com', '// b.com', '//b.com', 'ftp://b.com', '`https://b.test`'])(
    'does not link %j',
    markdown => {
      expect(elementsOf(markdownToHtml(markdown)).map(({ name }) => name)).not.toContain('a')
    },
  )

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x">b</b>',
    '<!-- x -->',
    '<?x?>',
    '<![CDATA[x]]>',
    '<div\nonclick=x>',
    '</article>',
    '<iframe srcdoc="x">',
    '&lt;script&gt;',
    '[<b>](https://a.test "<i>")',
    '`<b>`',
    '    <b>',
    '![<b>](https://a.test)',
    '| <b> |\n|-|\n| <i> |',
    '# <b>',
  ])('shows HTML in the text literally: %j', markdown => {
    const names = elementsOf(markdownToHtml(markdown)).map(({ name }) => name)
    for (const name of ['script', 'iframe', 'b', 'i', 'div', 'article']) expect(names).not.toContain(name)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&colon;alert(1)',
    '&#106;avascript:alert(1)',
    'java&Tab;script:alert(1)',
    'java&NewLine;script:alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.test/x',
    'view-source:https://a.test',
    'intent://a',
  ])('links only to web and mail addresses: %j', address => {
    const texts = [
      `[x](${address})`,
      `[x](<${address}>)`,
      `<${address}>`,
      `![x](${address})`,
      `[x]\n\n[x]: ${address}`,
      address,
    ]
    const leads = texts
      .flatMap(markdown => elementsOf(markdownToHtml(markdown)))
      .flatMap(({ attributes }) => [attributes.href ?? [], attributes.src ?? []].flat())
      .map(lead => new URL(lead, 'https://own.test').protocol)
    expect(leads.filter(protocol => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([])
  })

  it('never yields unknown elements or attributes', () => {
    const attributesOf: Record<string, string[]> = {
      a: ['href', 'title', 'rel'],
      img: ['src', 'alt', 'title'],
      ...Object.fromEntries(PLAIN.map(name => [name, ['class', 'start']])),
    }
    const piece = fc.constantFrom(...PIECES)
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        for (const { name, attributes } of elementsOf(markdownToHtml(pieces.join('')))) {
          expect(attributesOf).toHaveProperty(name)
          for (const attribute of Object.keys(attributes)) expect(attributesOf[name]).toContain(attribute)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('yields the same HTML for a text whether or not thousands of paragraphs precede it', () => {
    const before = 'a\n\n'.repeat(2_000)
    const htmlBefore = markdownToHtml(before)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), pieces => {
        const text = pieces.join('')
        expect(markdownToHtml(before + text)).toBe(htmlBefore + markdownToHtml(text))
      }),
      { numRuns: 40 },
    )
  })

  it('does not split lists and tables of thousands of lines', () => {
    expect(markdownToHtml('- a\n'.repeat(5_000))).toBe(`<ul>\n${'<li>a</li>\n'.repeat(5_000)}</ul>\n`)
    expect(markdownToHtml(`|a|\n|-|\n${'|b|\n'.repeat(5_000)}`)).toBe(
      `<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n${'<tr>\n<td>b</td>\n</tr>\n'.repeat(5_000)}</tbody>\n</table>\n`,
    )
  })

  it('links to an address that is defined thousands of paragraphs later', () => {
    const html = markdownToHtml(`[x]\n\n${'a\n\n'.repeat(2_000)}> [x]: https://b.test\n\n[x]: https://c.test`)
    expect(html).toMatch(/^<p><a href="https:\/\/b\.test"/)
  })

  it('yields balanced HTML', () => {
    expect(parseFragment(markdownToHtml('*a\n\n> b\n- c')).childNodes.length).toBeGreaterThan(2)
  })
})

describe('the conversion threads', () => {
  const LIMITS = { perAccount: 64_000_000, total: 64_000_000 }
  const converter = startMarkdownConverter(LIMITS, 60_000)
  afterAll(() => converter.stop())

  it('return the right HTML for concurrent texts', async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `text ${n}`)
    const html = await Promise.all(texts.map((text, index) => converter.convert(text, `account-${index}`)))
    expect(html).toEqual(texts.map(text => `<p>${text}</p>\n`))
  })

  it('stop converting a slow text and continue with the next', async () => {
    const impatient = startMarkdownConverter(LIMITS, 500)
    // Takes several seconds, but not much memory.
    const slow = `${'*a* '.repeat(500)}\n\n`.repeat(4_000)
    const [hostile, harmless] = await Promise.all([
      impatient.convert(slow, 'one'),
      impatient.convert(`*a*${' '.repeat(50_000)}`, 'one'),
    ])
    expect(hostile).toBeNull()
    expect(harmless).toBe('<p><em>a</em></p>\n')
    await impatient.stop()
  })

  it.each([
    ['convert a long text without waiting for the hostile texts of another account', 'a '.repeat(50_000)],
    ['convert a short text without waiting for the hostile texts of another account', '*a*'],
  ])('%s', async (_title, text) => {
    const busy = startMarkdownConverter(LIMITS)
    const order: string[] = []
    const convert = async (name: string, markdown: string) => {
      await busy.convert(markdown, name)
      order.push(name)
    }
    // Converting these texts would take half a minute, so the test stops the threads before that.
    const waiting = Array.from({ length: 5 }, () => convert('hostile', '![a\n'.repeat(2_000_000)))
    await convert('harmless', text)
    expect(order).toEqual(['harmless'])
    await busy.stop()
    await Promise.all(waiting)
  })

  it('convert only one of the longest texts at a time, because they need a lot of memory', async () => {
    const converter = startMarkdownConverter(LIMITS)
    const order: string[] = []
    const convert = async (name: string, markdown: string) => {
      await converter.convert(markdown, name)
      order.push(name)
    }
    await Promise.all([convert('slow', '![a\n'.repeat(100_000)), convert('quick', 'a '.repeat(140_000))])
    expect(order).toEqual(['slow', 'quick'])
    await converter.stop()
  })

  it('return null for unfinished texts when the threads are stopped, and can be stopped twice', async () => {
    const stopped = startMarkdownConverter(LIMITS)
    const waiting = [stopped.convert('![a\n'.repeat(500_000), 'one'), stopped.convert('a', 'one')]
    await stopped.stop()
    expect(await Promise.all(waiting)).toEqual([null, null])
    await stopped.stop()
  })

  it.each([
    '![',
    '**a ',
    '*_',
    '***a*** ',
    '[a](b) ',
    'http://',
    '-\n',
    '- a\n\n',
    'a\n\n',
    '# a\n',
    '> a\n\n',
    '[a]: b\n',
    '|a|\n|-|\n|b|\n\n',
  ])('convert a text of the maximum length that repeats %j', async piece => {
    expect(await converter.convert(piece.repeat(1_000_000 / piece.length), 'one')).not.toBeNull()
  })
})
