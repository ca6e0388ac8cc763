import { type FilterImplOptions, filters, type Liquid } from 'liquidjs'
import { budgetOf } from '../context.ts'
import { ValueError } from '../failure.ts'
import { isNil, plain } from '../html.ts'
import { textOf } from './text.ts'

type Handler = Exclude<FilterImplOptions, { raw: boolean }>
type FilterThis = ThisParameterType<Handler>

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws ValueError if the bytes are not UTF-8 */
function decodedText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ValueError('invalid byte sequence in UTF-8')
  }
}

/** Encodes everything but letters, digits and `_.-~`, as Ruby does. */
function urlEncode(this: FilterThis, value: unknown): unknown {
  return (filters.cgi_escape as Handler).call(this, textOf(this, value).toWellFormed())
}

/** A percent sign that no two hexadecimal digits follow stays as it is. */
function urlDecode(this: FilterThis, value: unknown): string {
  const text = textOf(this, value).replaceAll('+', ' ')
  return text.replace(/(?:%[\da-f]{2})+/gi, run => decodedText(Buffer.from(run.replaceAll('%', ''), 'hex')))
}

function uriEscape(this: FilterThis, value: unknown): unknown {
  return (filters.uri_escape as Handler).call(this, textOf(this, value).toWellFormed())
}

function base64Encode(this: FilterThis, value: unknown): string {
  return Buffer.from(textOf(this, value), 'utf8').toString('base64')
}

function base64Decode(this: FilterThis, value: unknown): string {
  const text = textOf(this, value)
  if (!/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(text) || text.includes('_'))
    throw new ValueError('invalid base64 provided to base64_decode')
  return decodedText(Buffer.from(text, 'base64'))
}

/** Keeps the padding, as Ruby and Shopify's examples do. */
function base64UrlSafeEncode(this: FilterThis, value: unknown): string {
  return base64Encode.call(this, value).replaceAll('+', '-').replaceAll('/', '_')
}

function base64UrlSafeDecode(this: FilterThis, value: unknown): string {
  const text = textOf(this, value)
  const digits = text.replace(/={0,2}$/, '')
  if (!/^[\w-]*$/.test(digits) || digits.length % 4 === 1)
    throw new ValueError('invalid base64 provided to base64_url_safe_decode')
  return decodedText(Buffer.from(digits, 'base64url'))
}

/** The signs of Jekyll's transliteration that are not a letter with an accent. */
const LATIN: Record<string, string> = {
  Æ: 'AE',
  Ð: 'D',
  Ø: 'O',
  Þ: 'Th',
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: "'n",
  Ŋ: 'NG',
  ŋ: 'ng',
  Œ: 'OE',
  œ: 'oe',
  Ŧ: 'T',
  ŧ: 't',
  '×': 'x',
}

/** Writes Latin letters without accents; other characters beyond ASCII become `?`. */
function transliterated(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\0-\x7F]/gu, character => LATIN[character] ?? '?')
}

/** As Jekyll's, whose mode `latin` also removes accents. A missing value stays missing. */
function slugify(this: FilterThis, value: unknown, ...args: unknown[]): unknown {
  if (isNil(value)) return value
  const mode = isNil(args[0]) ? undefined : textOf(this, args[0])
  const text = textOf(this, value)
  const latin = mode === 'latin' ? transliterated(text) : text
  budgetOf(this.context).use(latin.length)
  return (filters.slugify as Handler).call(this, latin, mode, ...args.slice(1).map(plain))
}

/** Filters that encode and decode text. */
export const ENCODING_FILTERS: Liquid['filters'] = {
  url_encode: urlEncode,
  cgi_escape: urlEncode,
  url_decode: urlDecode,
  uri_escape: uriEscape,
  base64_encode: base64Encode,
  base64_decode: base64Decode,
  base64_url_safe_encode: base64UrlSafeEncode,
  base64_url_safe_decode: base64UrlSafeDecode,
  slugify,
}
