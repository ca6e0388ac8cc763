import { customAlphabet } from 'nanoid'

const ALPHABET = '23456789abcdefghijklmnopqrstuvwxyz'
const LENGTH = 16

/** What every id looks like (contract: general conventions, 7). It is a DNS label too, because origins carry ids. */
export const ID_PATTERN = /^[2-9a-z]{16}$/

/**
 * A new id of 16 characters from a cryptographic source.
 * 81 bits: no two rows meet by chance, so nothing asks the database first.
 */
export const newId: () => string = customAlphabet(ALPHABET, LENGTH)
