import { hash, verify } from '@node-rs/argon2'

/** argon2id with OWASP's minimum: 19 MiB, two passes, one lane. 2 is the library's number for argon2id. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** A hash that no password matches. Checking it makes an unknown handle take as long as a wrong password. */
const UNKNOWN_HASH = await hashPassword(crypto.randomUUID())

/**
 * Whether a password matches its hash.
 *
 * @param passwordHash null for an account without a password; then no password matches
 */
export const verifyPassword = async (passwordHash: string | null, password: string): Promise<boolean> => {
  const matches = await verify(passwordHash ?? UNKNOWN_HASH, password)
  return matches && passwordHash !== null
}
