import { z } from 'zod'
import { line, timestamp } from '../api/fields.ts'
import { limits } from '../api/rules.ts'
import { expiresInDays } from './expiry.ts'
import type { Issued } from './issue.ts'

/** Input fields of a new credential. @param all every scope, in the order in which scopes are stored */
export const choiceFields = <const Scope extends string>(all: readonly [Scope, ...Scope[]]) => ({
  label: line({ min: 1, max: limits.keyLabel }),
  scopes: z
    .array(z.enum(all))
    .min(1, { error: 'choose at least one permission' })
    .overwrite(chosen => all.filter(scope => (chosen as readonly string[]).includes(scope))),
  expires_in_days: expiresInDays,
})

/** Output fields that keys and tokens share. */
export const credentialFields = {
  id: z.string(),
  label: z.string(),
  hint: z.string(),
  scopes: z.array(z.string()),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  /** When the credential stops working; null if it does not expire. */
  expires_at: timestamp.nullable(),
  /** When the credential was rotated; it then works until `expires_at`. */
  replaced_at: timestamp.nullable(),
}

interface Row {
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
  replaced_at: Date | null
}

/** Converts the dates of a row to timestamps. */
export const timestampsOf = ({ created_at, last_used_at, expires_at, replaced_at }: Row) => ({
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  expires_at: expires_at?.toISOString() ?? null,
  replaced_at: replaced_at?.toISOString() ?? null,
})

/** Returns the output fields of a credential that has just been issued: the shared fields, and the secret. */
export const issuedFields = ({ id, label, hint, scopes, secret, ...dates }: Issued<string>) => ({
  id,
  label,
  hint,
  scopes,
  secret,
  ...timestampsOf({ ...dates, last_used_at: null, replaced_at: null }),
})
