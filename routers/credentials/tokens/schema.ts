import { z } from 'zod'
import type { listUserTokens } from '../../../db/queries/user-tokens.ts'
import { timestamp } from '../../core/fields.ts'
import { USER_SCOPES } from '../../core/scopes.ts'
import { isDocumentId } from '../oauth/client-documents.ts'
import { destinationOf } from '../oauth/redirects.ts'
import type { issueToken } from './issue.ts'

/** Scopes that a new token is to have. */
export const scopes = z
  .array(z.enum(USER_SCOPES))
  .min(1, { error: 'must name at least one scope' })
  .overwrite(chosen => USER_SCOPES.filter(scope => chosen.includes(scope)))

/** Which program a token was given to. */
const Client = z.object({
  /** The host that vouches for it by serving its description; null when it has only registered itself. */
  host: z.string().nullable(),
  /** Where it said that people are sent, when it registered itself: a host, or the scheme of an app's links. */
  sends_to: z.array(z.string()),
})

/** A token as its owner sees it. */
export const Token = z.object({
  id: z.string(),
  label: z.string(),
  hint: z.string(),
  scopes: z.array(z.string()),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
  /** When it ends by itself; null when it does not, as a connected client's, which is renewed again and again. */
  expires_at: timestamp.nullable(),
  /** When another token took its place; it then works until `expires_at`. */
  replaced_at: timestamp.nullable(),
  /** The client that was connected by its address and holds it; null for a token that was issued here. */
  client_id: z.string().nullable(),
  client: Client.nullable(),
})

/** A token with its secret, which is shown this once. */
export const NewToken = Token.extend({ secret: z.string() })

type Row = Awaited<ReturnType<typeof listUserTokens>>[number]

const clientOf = (id: string, redirectUris: readonly string[]): z.output<typeof Client> => {
  const places = redirectUris.map(uri => {
    const to = destinationOf(uri)
    return to.kind === 'app' ? to.scheme : to.host
  })
  return { host: isDocumentId(id) ? new URL(id).host : null, sends_to: [...new Set(places)] }
}

export const shown = ({ redirect_uris, ...row }: Row): z.output<typeof Token> => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
  // Of a client's token only the present secret ends then, and the next one is on its way.
  expires_at: row.client_id === null ? (row.expires_at?.toISOString() ?? null) : null,
  replaced_at: row.replaced_at?.toISOString() ?? null,
  client: row.client_id === null ? null : clientOf(row.client_id, redirect_uris ?? []),
})

/** A token that has just been issued. */
export const shownNew = ({
  token,
  secret,
}: Awaited<ReturnType<typeof issueToken>>): z.output<typeof NewToken> => ({
  id: token.id,
  label: token.label,
  hint: token.hint,
  scopes: token.scopes,
  secret,
  created_at: token.created_at.toISOString(),
  last_used_at: null,
  expires_at: token.expires_at?.toISOString() ?? null,
  replaced_at: null,
  client_id: null,
  client: null,
})
