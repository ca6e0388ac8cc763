import { hash, verify } from '@node-rs/argon2'
import type { PasswordCost } from '../api/context.ts'

/** OWASP's minimum for argon2id. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** Returns the argon2id hash of a password. 2 is the library's number for argon2id. */
export const hashPassword = (password: string, cost: PasswordCost): Promise<string> =>
  hash(password, { algorithm: 2, parallelism: 1, ...cost })

/**
 * A hash that no password matches. If the handle is unknown or the account has no password, the entered password is
 * compared with this hash, so that the response takes as long as for a wrong password.
 */
const UNKNOWN_HASH = await hashPassword(crypto.randomUUID(), PASSWORD_COST)

/**
 * Whether a password matches its hash.
 *
 * @param passwordHash null for an account without a password; then no password matches
 */
export const verifyPassword = async (passwordHash: string | null, password: string): Promise<boolean> => {
  const matches = await verify(passwordHash ?? UNKNOWN_HASH, password)
  return matches && passwordHash !== null
}
