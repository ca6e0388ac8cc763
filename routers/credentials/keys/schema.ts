import { z } from 'zod'
import type { listSpaceKeys } from '../../../db/queries/space-keys.ts'
import { timestamp } from '../../core/fields.ts'
import { SPACE_SCOPES } from '../../core/scopes.ts'
import type { issueKey } from './issue.ts'

/** Scopes that a new key is to have. */
export const scopes = z
  .array(z.enum(SPACE_SCOPES))
  .min(1, { error: 'must name at least one scope' })
  .overwrite(chosen => SPACE_SCOPES.filter(scope => chosen.includes(scope)))

/** A key as participants see it. */
export const Key = z.object({
  id: z.string(),
  label: z.string(),
  hint: z.string(),
  scopes: z.array(z.string()),
  issuer: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  /** When it ends by itself; null when it does not. One that has ended opens nothing. */
  expires_at: timestamp.nullable(),
  /** When another key took its place; it then works until `expires_at`. */
  replaced_at: timestamp.nullable(),
})

/** A key with its secret, which is shown this once. */
export const NewKey = Key.extend({ secret: z.string() })

export const shown = (row: Awaited<ReturnType<typeof listSpaceKeys>>[number]): z.output<typeof Key> => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  expires_at: row.expires_at?.toISOString() ?? null,
  replaced_at: row.replaced_at?.toISOString() ?? null,
})

/** A key that has just been issued. */
export const shownNew = (
  { key, secret }: Awaited<ReturnType<typeof issueKey>>,
  issuer: string,
): z.output<typeof NewKey> => ({
  id: key.id,
  label: key.label,
  hint: key.hint,
  scopes: key.scopes,
  secret,
  issuer,
  created_at: key.created_at.toISOString(),
  last_used_at: null,
  expires_at: key.expires_at?.toISOString() ?? null,
  replaced_at: null,
})
