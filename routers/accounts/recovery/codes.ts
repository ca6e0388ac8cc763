import { customAlphabet } from 'nanoid'
import type { Sql } from '../../../db/orm.ts'
import { replaceRecoveryCodes } from '../../../db/queries/recovery-codes.ts'
import { hashSecret } from '../../access/secret.ts'

/** Letters and digits that are hard to confuse with each other, in print or handwriting. */
const ALPHABET = '346789abcdefghjkmnpqrtwxy'
/** Number of groups in a code. A code has 83 bits. Nobody can guess it, so a fast hash suffices. */
const GROUPS = 3
const GROUP_LENGTH = 6
export const RECOVERY_CODE_COUNT = 10

const group = customAlphabet(ALPHABET, GROUP_LENGTH)

/** Creates a code: groups of lowercase letters and digits, separated by hyphens. */
const newCode = () => Array.from({ length: GROUPS }, () => group()).join('-')

/** Returns the hash to store for a code, ignoring case, spaces and hyphens of any kind. */
export const hashCode = (code: string): Buffer =>
  hashSecret(code.toLowerCase().replaceAll(/[\s\p{Dash_Punctuation}]/gu, ''))

/**
 * Issues ten new recovery codes and ends the old ones. The caller holds the lock of the account.
 *
 * @returns the codes; only their hashes are stored
 */
export const issueRecoveryCodes = async (db: Sql, accountId: string): Promise<string[]> => {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newCode)
  await replaceRecoveryCodes(db, accountId, codes.map(hashCode), new Date())
  return codes
}
