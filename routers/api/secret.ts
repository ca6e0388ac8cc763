import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { customAlphabet } from 'nanoid'
import { z } from 'zod'

/** The prefix of each kind of secret. Refresh tokens are for connected OAuth clients. */
export const SECRET_PREFIXES = { space_key: 'ss_sk_', user_token: 'ss_ut_', refresh_token: 'ss_rt_' } as const
export type SecretKind = keyof typeof SECRET_PREFIXES

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Number of random characters in each kind of secret. A refresh token consists of two halves of 32 characters. */
const RANDOM_LENGTHS = { space_key: 32, user_token: 32, refresh_token: 64 } as const
const CHECKSUM_LENGTH = 6
/** Returns random letters and digits. @param length in characters */
export const randomText = customAlphabet(BASE62)

/** CRC-32 in base 62. It detects mistyped secrets without a query. */
const checksum = (text: string) => {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = BASE62[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

/** Creates a secret: prefix, random characters, checksum. It is shown once; only its hash is stored. */
export const newSecret = (kind: SecretKind): string => secretOf(kind, randomText(RANDOM_LENGTHS[kind]))

/** Builds the secret with the given random characters. */
export const secretOf = (kind: SecretKind, random: string): string => {
  const body = SECRET_PREFIXES[kind] + random
  return body + checksum(body)
}

/**
 * Encodes bytes as letters and digits. Some characters are slightly more likely than others; this is negligible if
 * `bytes` has at least 8 bytes more than `length` characters require.
 */
export const textOf = (bytes: Buffer, length: number): string => {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let out = ''
  for (let i = 0; i < length; i++) {
    out += BASE62[Number(rest % 62n)]
    rest /= 62n
  }
  return out
}

/** Whether `text` is a well-formed secret of the given kind with a valid checksum. */
export const isSecret = (kind: SecretKind, text: string): boolean => {
  const prefix = SECRET_PREFIXES[kind]
  if (text.length !== prefix.length + RANDOM_LENGTHS[kind] + CHECKSUM_LENGTH || !text.startsWith(prefix))
    return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) && checksum(body) === text.slice(-CHECKSUM_LENGTH)
}

/** Returns the hash to store. Secrets have 190 random bits, so a fast hash is enough. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Returns the first characters, by which people recognize a secret in a list. */
export const hintOf = (secret: string): string => `${secret.slice(0, 10)}…`

/** The token in the fragment of a link. Any short text is accepted and looked up. */
export const linkToken = z.string().max(100, { error: 'is not a token from a link' })
