import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentDisposition } from '../../facades/site/file-headers.ts'
import { useTestService } from '../support/test-service.ts'
import { newSite } from './support/site.ts'

const service = useTestService()

/** Returns the name for clients that support RFC 8187, and the fallback name for others. */
const namesIn = (header: string) => {
  const parts =
    /^(?:inline|attachment); filename="((?:[^"\\]|\\.)*)"(?:; filename\*=UTF-8''([\w!#$&+.^`|~%-]+))?$/.exec(
      header,
    )
  if (!parts) throw new Error(`not valid by RFC 6266: ${header}`)
  const plain = (parts[1] ?? '').replace(/\\(.)/g, '$1')
  return { plain, whole: parts[2] === undefined ? plain : decodeURIComponent(parts[2]) }
}

describe('the name of a file', () => {
  it.each([
    ['plain.zip', 'attachment; filename="plain.zip"'],
    ['with space.zip', 'attachment; filename="with space.zip"'],
    ['a "quoted" name.zip', 'attachment; filename="a \\"quoted\\" name.zip"'],
    ["it's (1)*.zip", 'attachment; filename="it\'s (1)*.zip"'],
    ['100%.zip', 'attachment; filename="100_.zip"; filename*=UTF-8\'\'100%25.zip'],
    ['Grüße.zip', 'attachment; filename="Gr__e.zip"; filename*=UTF-8\'\'Gr%C3%BC%C3%9Fe.zip'],
    ['日本.zip', 'attachment; filename="__.zip"; filename*=UTF-8\'\'%E6%97%A5%E6%9C%AC.zip'],
    ['😀;x=y.zip', 'attachment; filename="_;x=y.zip"; filename*=UTF-8\'\'%F0%9F%98%80%3Bx%3Dy.zip'],
    ['a\u202Egpj.exe', 'attachment; filename="a_gpj.exe"; filename*=UTF-8\'\'a%E2%80%AEgpj.exe'],
  ])('%j is sent as %s', async (name, header) => {
    const site = await newSite(service)
    const { headers } = await site.openFile(await site.file(name, 'x'))
    expect(headers['content-disposition']).toBe(header)
  })

  it('is unchanged by encoding and decoding as in RFC 8187', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }), text => {
        const name = text.replace(/\p{Cc}/gu, '')
        const header = contentDisposition('inline', name)
        expect(header).toMatch(/^[\x20-\x7e]*$/)
        expect(namesIn(header).whole).toBe(name.toWellFormed())
      }),
    )
  })

  it('has a fallback of printable ASCII without percent signs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
        const { plain } = namesIn(contentDisposition('attachment', text))
        expect(plain).not.toMatch(/[^\x20-\x7e]|%/)
      }),
    )
  })
})
