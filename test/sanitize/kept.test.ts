import { describe, expect, it } from 'vitest'
import { sanitize } from '../../routers/rendering/sanitize/sanitize.ts'

/** Returns the sanitized content of a body. */
function body(html: string): string {
  return /<body>([\s\S]*)<\/body><\/html>$/.exec(sanitize(`<body>${html}`))?.[1] ?? 'no body'
}

/** Returns the sanitized content of a head. */
function head(html: string): string {
  return /<head>([\s\S]*)<\/head>/.exec(sanitize(`<head>${html}</head>`))?.[1] ?? 'no head'
}

describe('a whole document', () => {
  it('is unchanged if it contains nothing active', () => {
    const page = [
      '<!DOCTYPE html><html lang="en" class="wide" data-theme="dark"><head><meta charset="utf-8">',
      '<title>Tea &amp; cake</title>',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="description" content="Note: javascript is not needed">',
      '<link rel="stylesheet" href="https://id.files.test/site.css" media="screen">',
      '<link rel="icon" href="/favicon.ico" sizes="any">',
      '<style media="print">@page { margin: 2cm } nav > a { display: none }</style>',
      '</head>',
      '<body id="top" style="--gap: 1rem"><h1>Tea</h1>',
      '<p>A &lt;p&gt; and a <a href="/b?c=d&amp;e=f#g">link</a>.</p>',
      '</body></html>',
    ].join('\n')
    expect(sanitize(page)).toBe(page)
  })

  const doctypes: Array<[string, string, string]> = [
    ['keeps the standards doctype', '<!doctype HTML><p>x', '<!DOCTYPE html><html>'],
    ['keeps the doctype after a byte order mark', '\ufeff<!doctype html><p>x', '<!DOCTYPE html><html>'],
    ['gets no doctype if it has none', '<p>x', '<html>'],
    [
      'gets an equivalent doctype for HTML 4.01 Strict',
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
      '<!DOCTYPE html><html>',
    ],
    [
      'loses a doctype that means quirks mode',
      '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">',
      '<html>',
    ],
    [
      'keeps limited-quirks mode',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x">',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"',
    ],
  ]
  it.each(doctypes)('%s', (_, html, start) => {
    expect(sanitize(html).slice(0, start.length)).toBe(start)
  })

  it('is completed if the source is only a fragment', () => {
    expect(sanitize('<p>x')).toBe('<html><head></head><body><p>x</p></body></html>')
  })

  it('has a body even if the source is a frameset', () => {
    expect(sanitize('<frameset><frame src=/a></frameset>')).toBe('<html><head></head><body></body></html>')
  })
})

describe('inactive content in the body', () => {
  const kept: string[] = [
    '<p class="a b" id="c" title="d" lang="en" dir="rtl" role="note" aria-label="e" data-f-g="h" hidden="">x</p>',
    '<p style="color: red; background: url(/a.png)">x</p>',
    '<table border="1" cellpadding="2"><caption>c</caption><colgroup><col span="2"></colgroup><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2" rowspan="1">b</td></tr></tbody><tfoot><tr><td>c</td></tr></tfoot></table>',
    '<img src="/a.png" srcset="/a.png 1x, /b.png 2x" sizes="50vw" alt="a" width="1" height="2" loading="lazy">',
    '<img src="data:image/png;base64,iVBORw0KGgo=" alt="">',
    '<picture><source srcset="/a.webp" type="image/webp" media="(min-width: 1px)"><img src="/a.png"></picture>',
    '<video controls="" poster="/p.jpg" muted="" loop="" playsinline=""><source src="/v.mp4" type="video/mp4"><track src="/t.vtt" kind="captions" srclang="en" label="x" default="">No video here.</video>',
    '<audio src="/a.mp3" controls="" preload="none"></audio>',
    '<details open="" name="a"><summary>s</summary>x</details>',
    '<ul type="disc"><li value="1">a</li><li>b<ol start="3" reversed=""><li>c</li></ol></li></ul>',
    '<dl><dt>a</dt><dd>b</dd></dl>',
    '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>',
    '<blockquote cite="https://example.com/"><p>q</p></blockquote>',
    '<map name="m"><area shape="rect" coords="0,0,1,1" href="/a" alt="a"></map><img src="/a" usemap="#m">',
    '<pre>\n\n  two lines\n</pre>',
    '<pre>  code\n</pre>',
    '<a href="#b" target="_blank" rel="noopener nofollow">x</a>',
    '<style>p::before { content: "→" } @media (400px<=width<900px) { a > b { c: d } }</style>',
    '<font color="red" face="x">x</font><center>y</center><marquee behavior="slide">z</marquee>',
    '<progress value="1" max="2">half</progress><meter value="0.5">half</meter><time datetime="2024-01-01">x</time>',
    '<dialog open="">x</dialog><section><article><header><h2>a</h2></header></article></section>',
    '<div itemscope="" itemtype="https://schema.org/Person"><span itemprop="name">x</span></div>',
    'a&nbsp;b &amp; c &lt;d&gt; "e"',
    '<math display="block"><semantics><mrow><msup><mi mathvariant="bold">x</mi><mn>2</mn></msup><mo stretchy="false">=</mo><mfrac linethickness="1"><mn>1</mn><msqrt><mi>y</mi></msqrt></mfrac></mrow><annotation encoding="application/x-tex">x^2 &lt; y</annotation></semantics></math>',
    '<p>Sum: <math><mtable><mtr><mtd><mspace width="1em"></mspace><mtext>a &amp; b</mtext></mtd></mtr></mtable></math>.</p>',
    '<my-card class="wide" data-x="1" aria-label="y"><my-title>x</my-title><p>y</p></my-card>',
    '<a href="/a" accesskey="s">x</a>',
    '<div vocab="https://schema.org/" typeof="Person"><span property="name" content="Ana">x</span></div>',
    '<img src="data:image/avif;base64,AAAA" alt=""><img src="data:image/webp;base64,AAAA" srcset="data:image/png;base64,AA== 2x">',
  ]
  it.each(kept)('is kept as written: %s', html => {
    expect(body(html)).toBe(html)
  })

  const links: string[] = [
    'https://example.com/',
    'http://example.com/',
    '//example.com/a',
    '/a/b?c=d#e',
    'a',
    './a:b',
    '../a',
    '#a',
    '?a=b:c',
    '',
    'mailto:a@example.com',
    'tel:+1',
    'sms:+1',
    'geo:1,2',
    'xmpp:a@b.c',
    'matrix:u/a:b.c',
    'webcal://example.com/a.ics',
    'magnet:?xt=a',
    'gemini://example.org/',
    'acct:a@example.org',
    'did:plc:abc',
    'web+ap://example.org/a',
    'HTTPS://EXAMPLE.COM/',
    ' https://example.com/ ',
  ]
  it.each(links)('includes links to %j', href => {
    expect(body(`<a href="${href}">x</a>`)).toBe(`<a href="${href}">x</a>`)
  })
})

describe('metadata and styles in the head', () => {
  const kept: string[] = [
    '<meta name="theme-color" content="#fff" media="(prefers-color-scheme: light)">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex">',
    '<meta property="og:title" content="Title: subtitle"><meta property="og:image" content="https://a.test/b.png">',
    '<meta name="twitter:card" content="summary">',
    '<link rel="icon" href="data:image/svg+xml,%3Csvg/%3E" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/a.png" sizes="180x180">',
    '<link rel="stylesheet" href="/a.css" integrity="sha384-x" crossorigin="anonymous"><style type="text/css">a{}</style>',
    '<link rel="alternate" type="application/atom+xml" href="/feed" title="Feed">',
    '<link rel="canonical" href="https://a.test/">',
    '<meta name="fediverse:creator" content="@a@b.test">',
    '<meta name="p:domain_verify" content="0f"><meta name="yandex-verification" content="0f">',
    '<meta name="mobile-web-app-capable" content="yes"><meta name="apple-mobile-web-app-status-bar-style" content="black">',
    '<meta name="dcterms.title" content="x"><meta name="citation_author" content="y"><meta property="al:ios:app_name" content="z">',
    '<link rel="me" href="mailto:a@b.test"><link rel="me" href="https://b.test/@a"><link rel="webmention" href="https://a.test/wm">',
    '<link rel="manifest" href="/site.webmanifest"><link rel="pingback" href="https://a.test/pb">',
    '<title>a &lt;b&gt; &amp; c</title>',
  ]
  it.each(kept)('are kept as written: %s', html => {
    expect(head(html)).toBe(html)
  })

  it('declare UTF-8, whatever the author declared', () => {
    expect(head('<meta charset=shift_jis>')).toBe('<meta charset="utf-8">')
  })

  it('lose link relations that make the browser load something in advance', () => {
    expect(head('<link rel="preload stylesheet" as=style href=/a.css>')).toBe(
      '<link rel="stylesheet" href="/a.css">',
    )
  })
})

describe('sanitizing a body', () => {
  const changes: Array<[string, string, string]> = [
    [
      'a text field keeps its text',
      '<label>Say <textarea name=a>hello &amp; more</textarea></label>',
      'Say hello &amp; more',
    ],
    [
      'a form keeps its text',
      '<form action=/a><label>Name <input></label> <button>Go</button></form>',
      'Name  Go',
    ],
    ['a fieldset keeps its content', '<fieldset><legend>About</legend><p>x</p></fieldset>', 'About<p>x</p>'],
    [
      'form controls are removed with their content',
      'a<select><option>b</select><datalist><option>c</datalist><input value=d>e',
      'ae',
    ],
    [
      'an object keeps its fallback',
      '<object data=/a.pdf><a href="/a.pdf">a</a></object>',
      '<a href="/a.pdf">a</a>',
    ],
    ['noscript keeps its content', '<noscript><img src="/a"></noscript>', '<img src="/a">'],
    ['unknown elements keep their content', '<card><b>x</b></card><font-face>y</font-face>', '<b>x</b>y'],
    ['SVG is removed', 'a<svg viewBox="0 0 1 1"><title>t</title><path d="M0 0"/></svg>b', 'ab'],
    [
      'HTML in a formula keeps its text',
      '<math><mtext><b>x</b><img src=/a></mtext><maction><mi>y</mi></maction></math>',
      '<math><mtext>x</mtext><mi>y</mi></math>',
    ],
    [
      'annotations that contain markup are removed',
      '<math><semantics><mi>x</mi><annotation-xml encoding="text/html"><p>x</annotation-xml></semantics></math>',
      '<math><semantics><mi>x</mi></semantics></math>',
    ],
    [
      'preformatted elements become pre',
      '<xmp><b>x</b></xmp><listing>y</listing>',
      '<pre>&lt;b&gt;x&lt;/b&gt;</pre><pre>y</pre>',
    ],
    ['text after a plaintext tag is kept', 'a<plaintext><b>x', 'a<pre>&lt;b&gt;x</pre>'],
    ['comments are removed', 'a<!-- b -->c', 'ac'],
    [
      'a bad address is removed, but its element is kept',
      '<a href="javascript:x()" class="b">x</a>',
      '<a class="b">x</a>',
    ],
    [
      'one bad address in a srcset removes the whole srcset',
      '<img srcset="/a 1x, javascript:b 2x" src="/a">',
      '<img src="/a">',
    ],
    [
      'a link cannot give access to this window',
      '<a rel="opener me" target="_blank" href="/a">x</a>',
      '<a rel="me" target="_blank" href="/a">x</a>',
    ],
    [
      'a link cannot give access to this window, whatever the letter case of `opener`',
      '<a rel="OPENER Opener me" target="_blank" href="/a">x</a>',
      '<a rel="me" target="_blank" href="/a">x</a>',
    ],
    ['a link cannot target a named window', '<a target="victim" href="/a">x</a>', '<a href="/a">x</a>'],
    [
      'an image with SVG in a data: address loses the address',
      '<img src="data:image/svg+xml,x" alt="a">',
      '<img alt="a">',
    ],
    [
      'a bad address in CSS is emptied',
      '<p style="a: url(javascript:b); c: d">x</p>',
      '<p style="a: url(); c: d">x</p>',
    ],
  ]
  it.each(changes)('%s', (_, html, result) => {
    expect(body(html)).toBe(result)
  })
})
