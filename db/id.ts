import { customAlphabet } from 'nanoid'

const ALPHABET = '23456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 16

/** The form of every id (contract: general conventions, 7). A valid DNS label, because origins contain ids. */
export const ID_PATTERN = /^[2-9a-z]{16}$/

/**
 * Returns a new random id of 16 characters, from a cryptographic source. With 81 random bits, a collision is so
 * unlikely that callers do not check for one.
 */
export const newId: () => string = customAlphabet(ALPHABET, LENGTH)
