import { customAlphabet } from 'nanoid'
import type { Sql } from '../../../db/orm.ts'
import { replaceRecoveryCodes } from '../../../db/queries/recovery-codes.ts'
import { hashSecret } from '../../access/secret.ts'

/** Letters and digits that are not taken for one another, neither in print nor in handwriting. */
const ALPHABET = '346789abcdefghjkmnpqrtwxy'
/** Together 18 characters, which is 83 bits: too many to try, so a fast hash is enough. */
const GROUPS = 3
const GROUP_LENGTH = 6
export const RECOVERY_CODE_COUNT = 10

const group = customAlphabet(ALPHABET, GROUP_LENGTH)

/** A code as it is shown: groups of small letters and digits with hyphens between them. */
const newCode = () => Array.from({ length: GROUPS }, () => group()).join('-')

/** What is stored of a code, however it was typed: letter case, spaces and hyphens of any kind don't matter. */
export const hashCode = (code: string): Buffer =>
  hashSecret(code.toLowerCase().replaceAll(/[\s\p{Dash_Punctuation}]/gu, ''))

/**
 * Gives an account ten new codes and ends its old ones. Whoever does this holds the account's lock.
 *
 * @returns the codes, which are nowhere else from now on
 */
export const giveRecoveryCodes = async (db: Sql, accountId: string): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newCode)
  await replaceRecoveryCodes(db, accountId, codes.map(hashCode), new Date())
  return codes
}
