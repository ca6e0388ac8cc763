import { describe, expect, it } from 'vitest'
import { sharedRenderer } from '../support/renderer.ts'
import { requestFor, type Trial } from './site.ts'

const renderer = sharedRenderer()

const site: Trial = {
  pages: [{ slug: 'about', url: 'https://salt.example/about' }],
  files: [{ name: 'photo.jpg', contentType: 'image/jpeg', size: 1, url: 'https://f.files.example' }],
}

async function linksOf(html: string, kind: 'scripted' | 'static') {
  const request = requestFor(html, { ...site, kind })
  const page = { ...request.page, url: 'https://salt.example/menu', reviewed: true }
  const outcome = await renderer.render({ ...request, page })
  if (!outcome.ok || !outcome.review) throw new Error('no review')
  return outcome.review.links
}

describe('a link that does not work', () => {
  it('is found in a page that has an element named `constructor`', async () => {
    const links = await linksOf('<constructor></constructor><a href="/abuot">', 'scripted')
    expect(links.map(({ nearest }) => nearest)).toEqual(['about'])
  })

  const rows: [html: string, kind: 'scripted' | 'static', message: string, nearest: string | null][] = [
    [
      '<a href="/abuot">',
      'static',
      'The link “/abuot” leads nowhere: the site has no page “abuot”.',
      'about',
    ],
    [
      '<a href="about.html">',
      'scripted',
      'The link “about.html” leads nowhere: the site has no page “about.html”.',
      'about',
    ],
    [
      '<a href="#contact"></a><p id="contacts">',
      'static',
      'The link “#contact” leads nowhere: no element of the page has the id “contact”.',
      'contacts',
    ],
    [
      '<img src="img/photo.jpg">',
      'static',
      '<img> cannot load “img/photo.jpg”: each file has its own URL. Use {% assign f = files | where: "name", "photo.jpg" | first %}{{ f.url }}.',
      null,
    ],
    [
      '<link rel="stylesheet" href="style.css">',
      'scripted',
      '<link> cannot load “style.css”: each file has its own URL. Upload the file, then use {% assign f = files | where: "name", "style.css" | first %}{{ f.url }}.',
      null,
    ],
    [
      '<img src="{{ nothing.url | default: "" }}">',
      'static',
      'The address of an <img> is empty. A file that the template looks up may not exist.',
      null,
    ],
    [
      '<a href="https://other.example/">',
      'scripted',
      'A link to another website opens inside the frame of this scripted page. Add target="_top" to it, or <base target="_top"> to the head.',
      null,
    ],
    [
      '<form action="https://other.example/" method="post">',
      'scripted',
      'The response to a form for another website opens inside the frame of this scripted page. Add target="_top" to it, or <base target="_top"> to the head.',
      null,
    ],
    [
      '<form action="/serach">',
      'scripted',
      'The form “/serach” leads nowhere: the site has no page “serach”.',
      null,
    ],
  ]
  it.each(rows)('gets a hint: %s', async (html, kind, message, nearest) => {
    expect(await linksOf(html, kind)).toMatchObject([{ message, nearest, count: 1 }])
  })

  it('gets only one hint if the link occurs several times, and the hint says how many times', async () => {
    expect(await linksOf('<a href="/abuot"></a>'.repeat(3), 'static')).toMatchObject([{ count: 3 }])
  })
})

it.each([
  ['<a href="/about">', 'static'],
  ['<a href="about?a=1#b">', 'static'],
  ['<a href="/">', 'static'],
  ['<a href="#top"></a><a href="#"></a>', 'static'],
  ['<a href="#a"></a><p id="a">', 'static'],
  ['<a href="#made-by-script">', 'scripted'],
  ['<a href="mailto:a@b.example"></a><a href="tel:1"></a>', 'scripted'],
  ['<a href="https://other.example/">', 'static'],
  ['<base target="_top"><a href="https://other.example/">', 'scripted'],
  ['<a href="https://other.example/" target="_blank">', 'scripted'],
  ['<form></form><form action="/about"></form><form action="mailto:a@b.example"></form>', 'scripted'],
  ['<form action="https://other.example/" target="_top"></form>', 'scripted'],
  ['<form action="https://other.example/"></form><form action="/nowhere"></form>', 'static'],
  ['<img src="{{ files[0].url }}"><img src="data:image/png;base64,AA==">', 'static'],
  ['<script src="/_page.js"></script><script>"<a href=\'/nowhere\'>"</script>', 'scripted'],
  ['<link rel="alternate" href="/articles.atom"><link rel="canonical" href="/about">', 'scripted'],
] as const)('links that work give no hint: %s', async (html, kind) => {
  expect(await linksOf(html, kind)).toEqual([])
})
