import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64Size, contentFault, decodeContent } from '../../routers/content/files/content.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** A slow reference decoder that reads six bits at a time. Returns null for invalid input. */
const decodeSlowly = (content: string): number[] | null => {
  const digits = content
    .split('')
    .filter(letter => !' \r\n'.includes(letter))
    .join('')
  const body = digits.endsWith('==')
    ? digits.slice(0, -2)
    : digits.endsWith('=')
      ? digits.slice(0, -1)
      : digits
  if (body.length !== digits.length && digits.length % 4 !== 0) return null
  if (body.split('').some(letter => !ALPHABET.includes(letter)) || body.length % 4 === 1) return null
  const bits = body
    .split('')
    .map(letter => ALPHABET.indexOf(letter).toString(2).padStart(6, '0'))
    .join('')
  return (bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2))
}

const anything = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...ALPHABET.split('')) },
      fc.constantFrom(...'= \r\n=-_.\t\u00a0'.split('')),
    ),
    {
      maxLength: 14,
    },
  )
  .map(letters => letters.join(''))

describe('base64', () => {
  it('is rejected or decoded exactly as by a simple reference decoder', () => {
    fc.assert(
      fc.property(anything, content => {
        const isBase64 = typeof base64Size(content) === 'number'
        expect(isBase64 ? [...decodeContent(content, 'base64')] : null).toEqual(decodeSlowly(content))
        expect(isBase64 ? base64Size(content) : undefined).toBe(decodeSlowly(content)?.length)
      }),
      { numRuns: 5000 },
    )
  })

  it('of any bytes is decoded to these bytes, with or without padding and line breaks', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.boolean(),
        fc.nat(20),
        (bytes, isPadded, width) => {
          const whole = Buffer.from(bytes).toString('base64')
          const padded = isPadded ? whole : whole.replace(/=+$/, '')
          const content = padded.replace(new RegExp(`.{${width + 1}}`, 'g'), '$&\r\n')
          expect(contentFault(content, 'base64')).toBeNull()
          expect([...decodeContent(content, 'base64')]).toEqual([...bytes])
        },
      ),
      { numRuns: 1000 },
    )
  })
})
