import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { useTestService } from '../support/test-service.ts'
import { statusAndFields } from './support/responses.ts'
import { ASTRAL } from './support/texts.ts'

interface File {
  id: string
  name: string
  content_type: string
}

const service = useTestService()
let api: RestClient

beforeAll(async () => {
  api = (await service.createSpace()).api
})

const upload = (name: string) =>
  api.post<File>('/files', { name, content: '<!doctype html>', encoding: 'text' })

describe('a name', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['/etc/passwd', 'passwd'],
    ['C:\\Users\\me\\photo.png', 'photo.png'],
    ['a/b\\c.txt', 'c.txt'],
    ['a\\b/c.txt', 'c.txt'],
    ['../../x.txt', 'x.txt'],
    ['a\u0000b\u0001c\u001f.txt', 'abc.txt'],
    ['a\r\nb\t.txt', 'ab.txt'],
    ['a\u007f\u0080\u0085\u009fb.txt', 'ab.txt'],
    ['\ud800/a.txt', 'a.txt'],
    ['...', '...'],
    ['.htaccess', '.htaccess'],
    [' ', ' '],
    [' a.txt ', ' a.txt '],
    ['"quoted"; x=y.txt', '"quoted"; x=y.txt'],
    ['ü é e\u0301 🌱\u202e.txt', 'ü é e\u0301 🌱\u202e.txt'],
    ['a'.repeat(255), 'a'.repeat(255)],
    [ASTRAL.repeat(255), ASTRAL.repeat(255)],
    [`${'long/'.repeat(100)}a.txt`, 'a.txt'],
    [`${'\u0001'.repeat(300)}a.txt`, 'a.txt'],
  ])('%j becomes %j', async (name, kept) => {
    expect((await upload(name)).body.name).toBe(kept)
  })

  it.each([
    '',
    '.',
    '..',
    '/',
    'a/',
    'a\\',
    'a/.',
    'a\\..',
    '\u0001',
    '.\u0000.',
    '\u0000.',
    'a'.repeat(256),
    ASTRAL.repeat(256),
    'a\ud800.txt',
    '\udc00',
  ])('cannot be %j', async name => {
    expect(statusAndFields(await upload(name))).toEqual([422, 'name'])
    const { body: file } = await upload('file.txt')
    expect(statusAndFields(await api.patch(`/files/${file.id}`, { name }))).toEqual([422, 'name'])
  })
})

describe('the content type', () => {
  it.each([
    ['a.png', 'image/png'],
    ['a.PNG', 'image/png'],
    ['a.jpg', 'image/jpeg'],
    ['a.jpeg', 'image/jpeg'],
    ['a.gif', 'image/gif'],
    ['a.webp', 'image/webp'],
    ['a.avif', 'image/avif'],
    ['a.svg', 'image/svg+xml'],
    ['a.mp4', 'video/mp4'],
    ['a.webm', 'video/webm'],
    ['a.mp3', 'audio/mpeg'],
    ['a.pdf', 'application/pdf'],
    ['a.txt', 'text/plain'],
    ['a.csv', 'text/csv'],
    ['a.css', 'text/css'],
    ['a.json', 'application/json'],
    ['a.woff', 'font/woff'],
    ['a.woff2', 'font/woff2'],
    ['a.ttf', 'font/ttf'],
    ['a.otf', 'font/otf'],
    ['a.html', 'text/html'],
    ['a.js', 'text/javascript'],
    ['a.zip', 'application/zip'],
    ['a.min.css', 'text/css'],
    ['a.png.html', 'text/html'],
    ['a.html.png', 'image/png'],
    ['page.html/a.png', 'image/png'],
    ['a.pn\u0001g', 'image/png'],
    ['a', 'application/octet-stream'],
    ['a.', 'application/octet-stream'],
    ['a.png.', 'application/octet-stream'],
    ['a.png ', 'application/octet-stream'],
    ['a.unknown-extension', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['a.__proto__', 'application/octet-stream'],
    ['png', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
    ['.png', 'application/octet-stream'],
    ['.css', 'application/octet-stream'],
  ])('of %s is %s', async (name, type) => {
    expect((await upload(name)).body.content_type).toBe(type)
  })
})
