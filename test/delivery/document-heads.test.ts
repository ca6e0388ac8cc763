import { beforeEach, describe, expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite
let root: string

beforeEach(async () => {
  site = await newSite(service)
  root = `http://${site.space.subdomain}.sites.localhost`
})

/**
 * Creates a scripted page with this HTML and returns the head of the document that frames it, without the styles that
 * every head has.
 */
const headAround = async (html: string): Promise<string> => {
  await site.page('app', html, 'scripted')
  const { status, text } = await site.open('/app')
  expect(status).toBe(200)
  return text.slice(0, text.indexOf('<style>'))
}

/**
 * Elements in the head of a page, and their copies in the head of the document that frames it. `ROOT` is the site's
 * address.
 */
const REPEATED: [said: string, repeated: string][] = [
  ['<html lang=de-AT dir=RTL>', '<html lang="de-AT" dir="rtl">'],
  ['<title>{{ "Tom & Jerry" }} </title>', '<title>Tom &amp; Jerry</title>'],
  [
    '<meta name=Description content="&lt;Cat&gt; and\n mouse">',
    '<meta name="description" content="&lt;Cat&gt; and mouse">',
  ],
  ['<meta property="og:title" content="A">', '<meta property="og:title" content="A">'],
  ['<meta property="og:image" content="/a.png">', '<meta property="og:image" content="ROOT/a.png">'],
  ['<meta name="twitter:card" content="summary">', '<meta name="twitter:card" content="summary">'],
  ['<meta name="robots" content="noindex" media="print">', '<meta name="robots" content="noindex">'],
  [
    '<meta name="theme-color" content="#123" media="(prefers-color-scheme: dark)">',
    '<meta name="theme-color" content="#123" media="(prefers-color-scheme: dark)">',
  ],
  [
    '<meta name="fediverse:creator" content="@a@b.example">',
    '<meta name="fediverse:creator" content="@a@b.example">',
  ],
  ['<link rel="shortcut icon" href="i.png" sizes=any>', '<link rel="icon" href="ROOT/i.png" sizes="any">'],
  [
    '<link rel=icon href="data:image/svg+xml,<svg/>">',
    '<link rel="icon" href="data:image/svg+xml,&lt;svg/&gt;">',
  ],
  [
    '<link rel=alternate type="application/rss+xml" href="/feed" title="News">',
    '<link rel="alternate" href="ROOT/feed" type="application/rss+xml" title="News">',
  ],
  ['<link rel=canonical href="https://a.example/b">', '<link rel="canonical" href="https://a.example/b">'],
  [
    '<base href="https://a.example/b/"><link rel=me href="c">',
    '<link rel="me" href="https://a.example/b/c">',
  ],
  [
    '<script type="application/ld+json">{ "a": "</SCRIPT\\u003e<!--" }</script>'.replace(
      '</SCRIPT',
      '<\\/SCRIPT',
    ),
    '<script type="application/ld+json">{"a":"\\u003c/SCRIPT>\\u003c!--"}</script>',
  ],
]

/** Elements of a page that are not copied to the document that frames it. */
const NOT_REPEATED = [
  '<html lang="x onclick">',
  '<meta http-equiv="refresh" content="0;url=https://elsewhere.example">',
  '<meta http-equiv="Content-Security-Policy" content="default-src *">',
  '<meta name="referrer" content="unsafe-url">',
  '<meta name="viewport" content="width=elsewhere">',
  '<meta property="og:image" content="javascript:elsewhere">',
  '<meta property="og:url" content="ftp://elsewhere.example">',
  '<meta property="fb:onclick=elsewhere" content="a">',
  '<link rel="stylesheet" href="https://elsewhere.example/a.css">',
  '<link rel="alternate stylesheet" href="https://elsewhere.example/a.css">',
  '<link rel="preload" href="https://elsewhere.example/a.css">',
  '<link rel="manifest" href="https://elsewhere.example/a">',
  '<link rel="canonical" href="javascript:elsewhere">',
  '<link rel="canonical" href="data:text/html,elsewhere">',
  '<link rel="icon" href="data:text/html,elsewhere">',
  `<link rel="icon" href="/${'elsewhere'.repeat(300)}">`,
  '<script>elsewhere</script>',
  '<script type="application/ld+json">{ elsewhere }</script>',
  '<body><meta property="og:title" content="elsewhere">',
  'text<meta property="og:title" content="elsewhere">',
]

describe('the document that frames a scripted page', () => {
  it.each(REPEATED)('copies %s from the page as %s', async (said, repeated) => {
    expect(await headAround(said)).toContain(repeated.replace('ROOT', root))
  })

  it.each(NOT_REPEATED)('does not copy %s from the page', async said => {
    expect(await headAround(`<title>App</title>${said}`)).not.toMatch(/elsewhere|onclick|viewport.*viewport/)
  })

  it('has the page’s own address as canonical link, unless the page names another address', async () => {
    expect(await headAround('<title>App</title>')).toContain(`<link rel="canonical" href="${root}/app">`)
    await site.page('own', '<link rel=canonical href="/b">', 'scripted')
    expect((await site.open('/own')).text.match(/rel="canonical"/g)).toHaveLength(1)
  })

  it('copies a limited number of elements and characters', async () => {
    const head = await headAround(
      [
        ...Array.from({ length: 500 }, (_, n) => `<meta property="og:image" content="/${n}">`),
        ...Array.from(
          { length: 50 },
          () => `<script type="application/ld+json">"${'x'.repeat(2_000)}"</script>`,
        ),
      ].join(''),
    )
    expect(head.match(/og:image/g)!.length).toBeLessThanOrEqual(64)
    expect(head.match(/ld\+json/g)).toHaveLength(8)
    expect(head.length).toBeLessThan(40_000)
  })

  it('copies the head from the same revision as the page', async () => {
    await site.data('titles', ['Before'])
    const page = await site.page('app', '<title>{{ data.titles[0] }}</title>', 'scripted')
    expect((await site.open('/app')).text).toContain('<title>Before</title>')
    await site.data('titles', ['After'])
    expect((await site.open('/app')).text).toContain('<title>After</title>')
    expect((await site.openOrigin(page)).text).toBe('<title>After</title>')
  })
})
