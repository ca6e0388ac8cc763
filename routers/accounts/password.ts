import { hash, verify } from '@node-rs/argon2'

/** argon2id at OWASP's floor: 19 MiB, two passes, one lane. The algorithm's number is the library's. */
const COST = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** A hash that no password has, so that an unknown handle takes as long as a wrong password. */
const NOBODY = await hashPassword(crypto.randomUUID())

/**
 * Whether the password is the one that was hashed.
 *
 * @param passwordHash null for an account without a password, which no password opens
 */
export const verifyPassword = async (passwordHash: string | null, password: string): Promise<boolean> => {
  const matches = await verify(passwordHash ?? NOBODY, password)
  return matches && passwordHash !== null
}
