import { z } from 'zod'
import { text, timestamp } from '../api/fields.ts'
import { limits } from '../api/rules.ts'

export const newPassword = text({ min: limits.passwordMin, max: limits.passwordMax }).meta({
  format: 'password',
})

/** A password to check. The length is limited because hashing a long password is expensive. */
export const enteredPassword = z.string().max(2 * limits.passwordMax, { error: 'is too long' })

/** Whether a password change also revokes all tokens and disconnects all apps. */
export const endTokens = z.boolean().default(false)

/** An account as its owner sees it. */
export const Me = z.object({
  handle: z.string(),
  has_password: z.boolean(),
  /** Whether the configuration lists the account as an operator. */
  is_operator: z.boolean(),
  /** Why and since when the account is suspended; null if it is not. */
  suspension: z.object({ reason: z.string(), since: timestamp }).nullable(),
})

/** What happens to the contents of an account when the account is deleted. */
export const DeletionSummary = z.object({
  posts: z.int(),
  comments: z.int(),
  likes: z.int(),
  tokens: z.int(),
  /** Number of uploaded files, which stay in their spaces. */
  files: z.int(),
  /** Keys that the account has issued. These keys stop working when the account is deleted. */
  keys: z.array(z.object({ subdomain: z.string(), id: z.string(), label: z.string(), hint: z.string() })),
  /** Webhooks that the account has added. They are removed when the account is deleted. */
  webhooks: z.int(),
  /** Spaces that are not deleted, because they have other owners. */
  spaces: z.array(z.object({ subdomain: z.string(), name: z.string() })),
  /** Spaces without another participant, which prevent the deletion. */
  alone_in: z.array(z.object({ subdomain: z.string(), name: z.string() })),
  /** Spaces with other participants, but without another owner, which prevent the deletion. */
  only_owner_of: z.array(z.object({ subdomain: z.string(), name: z.string() })),
})

/** How many of each resource an account has or can have. */
export const AccountUsage = z.object({
  spaces: z.int(),
  posts: z.int(),
  drafts: z.int(),
  follows: z.int(),
  mutes: z.int(),
})
