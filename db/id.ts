import { createHmac } from 'node:crypto'
import { customAlphabet } from 'nanoid'
import { isContentServerAway } from './errors.ts'

const ALPHABET = '23456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 16

/** The form of every id (contract: general conventions, 7). A valid DNS label, because origins contain ids. */
export const ID_PATTERN = /^[2-9a-z]{16}$/

/**
 * Returns a new random id of 16 characters, from a cryptographic source. With 81 random bits, a collision is so
 * unlikely that callers do not check for one.
 */
export const newId: () => string = customAlphabet(ALPHABET, LENGTH)

/**
 * Returns an id that is derived from a name and the id of its owner. The same arguments always give the same id, and
 * only someone who knows the owner's id can predict it.
 */
export const idWithin = (ownerId: string, name: string): string => {
  const bytes = createHmac('sha256', ownerId).update(name).digest()
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  const base = BigInt(ALPHABET.length)
  return Array.from({ length: LENGTH }, () => {
    const digit = ALPHABET[Number(rest % base)]
    rest /= base
    return digit
  }).join('')
}

/** Maximum number of ids to try, and the time in ms after which no other id is tried. */
const MAX_ATTEMPTS = 8
const MAX_DURATION = 5_000

/**
 * Creates a space under a new id. If content is distributed, the id decides which server the space is on. While that
 * server is down, other ids are tried, so that the space is created on another server.
 *
 * @param create creates the space; if it fails, it must leave nothing behind
 * @throws the error of the last attempt
 */
export const withNewSpaceId = async <T>(create: (id: string) => Promise<T>): Promise<T> => {
  const deadline = performance.now() + MAX_DURATION
  for (let attempt = 1; ; attempt++)
    try {
      return await create(newId())
    } catch (error) {
      if (!isContentServerAway(error) || attempt === MAX_ATTEMPTS || performance.now() > deadline) throw error
    }
}
