import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { customAlphabet } from 'nanoid'

/** Kinds of credentials by what they begin with (decision 15). A refresh token is for connected clients. */
export const SECRET_PREFIXES = { space_key: 'ss_sk_', user_token: 'ss_ut_', refresh_token: 'ss_rt_' } as const
export type SecretKind = keyof typeof SECRET_PREFIXES

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Random characters of each kind; a refresh token is made of two halves. */
const RANDOM_LENGTHS = { space_key: 32, user_token: 32, refresh_token: 64 } as const
const CHECKSUM_LENGTH = 6
/** Random text of letters and digits. @param length in characters */
export const randomText = customAlphabet(BASE62)

/** CRC-32 in base 62: tells a mistyped secret from a real one without looking it up. */
const checksum = (text: string) => {
  let rest = crc32(text)
  let out = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    out = BASE62[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}

/** A new secret: prefix, random characters, checksum. Shown once; only its hash is kept. */
export const newSecret = (kind: SecretKind): string => secretOf(kind, randomText(RANDOM_LENGTHS[kind]))

/** The secret with these random characters. */
export const secretOf = (kind: SecretKind, random: string): string => {
  const body = SECRET_PREFIXES[kind] + random
  return body + checksum(body)
}

/** Bytes as letters and digits. As even as the bytes are when there are 8 bytes more than the text can hold. */
export const textOf = (bytes: Buffer, length: number): string => {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let out = ''
  for (let i = 0; i < length; i++) {
    out += BASE62[Number(rest % 62n)]
    rest /= 62n
  }
  return out
}

/** Whether text has the form of a secret of that kind, its checksum included. */
export const isSecret = (kind: SecretKind, text: string): boolean => {
  const prefix = SECRET_PREFIXES[kind]
  if (text.length !== prefix.length + RANDOM_LENGTHS[kind] + CHECKSUM_LENGTH || !text.startsWith(prefix))
    return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return /^[0-9A-Za-z]+$/.test(text.slice(prefix.length)) && checksum(body) === text.slice(-CHECKSUM_LENGTH)
}

/** What is stored of a secret. It has 190 random bits, so a fast hash is enough. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The first characters, by which people recognise a secret in a list. */
export const hintOf = (secret: string): string => `${secret.slice(0, 10)}…`
