import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { storedBytes } from '../support/stored-bytes.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { jsonValue } from './values.ts'

const service = useTestService()
let api: RestClient
let page: string
let part: string
let file: string

beforeAll(async () => {
  api = (await service.createSpace()).api
  page = (await api.post<{ id: string }>('/pages', { slug: 'page', html: 'x' })).body.id
  part = (await api.post<{ id: string }>('/parts', { name: 'part', html: 'x' })).body.id
  file = (await api.post<{ id: string }>('/files', { name: 'a', content: 'x', encoding: 'text' })).body.id
})

const RUNS = { numRuns: 60 }

/** Text with many problematic characters: white space, control characters, U+0000, lone surrogates, tags. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        ' ',
        '\n',
        '\ufeff',
        '\u0085',
        '\u0000',
        '\ud800',
        '\udc00',
        '🌱',
        '{{',
        '{% if %}',
        '/',
        '\\',
        '.',
      ),
    ),
    { maxLength: 6 },
  )
  .map(pieces => pieces.join(''))

const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0')

/** Removes U+0000 to U+001F and U+007F to U+009F. */
const withoutControls = (name: string) =>
  name
    .split('')
    .filter(unit => unit >= ' ' && (unit < '\u007f' || unit > '\u009f'))
    .join('')

const lettersOf = (letters: string, maxLength: number) =>
  fc.array(fc.constantFrom(...letters.split(''), ' '), { maxLength }).map(list => list.join(''))

describe('random input', () => {
  it('is rejected as a slug, or stored in its cleaned form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(lettersOf('ab0-', 8), lettersOf('a', 62), text), async slug => {
        const clean = slug.trim()
        const isGood = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(clean) && clean.length <= 60
        const { status, body } = await api.patch(`/pages/${page}`, { slug })
        expect([status, body.slug]).toEqual(isGood ? [200, clean] : [422, undefined])
      }),
      RUNS,
    )
  })

  it('is rejected as a part name, or stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(lettersOf('ab0-_', 8), text), async name => {
        const isGood = /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/.test(name) && name.length <= 60
        const { status, body } = await api.patch(`/parts/${part}`, { name })
        expect([status, body.name]).toEqual(isGood ? [200, name] : [422, undefined])
      }),
      RUNS,
    )
  })

  it('is cleaned and stored as the body of a page or part, or is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(text, async html => {
        const isGood = html.trim() !== '' && isStorable(html.trim())
        for (const path of [`/pages/${page}`, `/parts/${part}`]) {
          const before = (await api.get(path)).body.html
          expect((await api.patch(path, { html })).status).toBe(isGood ? 200 : 422)
          expect((await api.get(path)).body.html).toBe(isGood ? html.trim() : before)
        }
      }),
      RUNS,
    )
  })

  it('is either rejected or stored as the value and description of a record', async () => {
    const key = uniqueName('record')
    await fc.assert(
      fc.asyncProperty(jsonValue, fc.option(text), async (value, description) => {
        const isGood = description === null || isStorable(description)
        const written = await api.put(`/data/${key}`, { value, description })
        expect(written.status).toBe(isGood ? 200 : 422)
        if (!isGood) return
        const { body } = await api.get(`/data/${key}`)
        expect(JSON.stringify(body.value)).toBe(JSON.stringify(value))
        expect(body.description).toBe(description)
        expect(body).toEqual(written.body)
      }),
      RUNS,
    )
  })

  it('is either rejected or stored as the name and content of a file; the stored name is cleaned', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.uint8Array({ minLength: 1, maxLength: 50 }), async (name, bytes) => {
        const clean = withoutControls(name.split(/[/\\]/).at(-1)!)
        const isGood = !['', '.', '..'].includes(clean) && clean.isWellFormed()
        const content = Buffer.from(bytes)
        const change = { name, content: content.toString('base64'), encoding: 'base64' }
        const { status, body } = await api.patch(`/files/${file}`, change)
        expect(status).toBe(isGood ? 200 : 422)
        if (!isGood) return
        expect(body).toMatchObject({ name: clean, size: content.length })
        expect(await storedBytes(service.core.database, file)).toEqual(content)
      }),
      RUNS,
    )
  })

  it('is either stored as the text of a file or rejected', async () => {
    await fc.assert(
      fc.asyncProperty(text, async content => {
        const isGood = content !== '' && content.isWellFormed()
        const { status, body } = await api.patch(`/files/${file}`, { content, encoding: 'text' })
        expect([status, body.size]).toEqual(isGood ? [200, Buffer.byteLength(content)] : [422, undefined])
      }),
      RUNS,
    )
  })
})
