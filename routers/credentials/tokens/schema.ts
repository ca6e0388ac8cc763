import { z } from 'zod'
import type { listUserTokens } from '../../../db/queries/user-tokens.ts'
import { isDocumentId } from '../oauth/client-documents.ts'
import { destinationOf } from '../oauth/redirects.ts'
import { credentialFields, timestampsOf } from '../schema.ts'

/** The client that holds a token. */
const Client = z.object({
  /** Host of the client's metadata document; null for a self-registered client. */
  host: z.string().nullable(),
  /** Hosts or custom schemes of the client's redirect URIs. */
  sends_to: z.array(z.string()),
})

/** A token as its owner sees it. The token of a connected client is refreshed, so its `expires_at` is null. */
export const Token = z.object({
  ...credentialFields,
  /** The client that was connected through OAuth; null for a token that the owner issued. */
  client_id: z.string().nullable(),
  client: Client.nullable(),
})

/** A token with its secret, which is returned only once. */
export const NewToken = Token.extend({ secret: z.string() })

type Row = Awaited<ReturnType<typeof listUserTokens>>[number]

const clientOf = (id: string, redirectUris: readonly string[]): z.output<typeof Client> => {
  const destinations = redirectUris.map(uri => {
    const to = destinationOf(uri)
    return to.kind === 'app' ? to.scheme : to.host
  })
  return { host: isDocumentId(id) ? new URL(id).host : null, sends_to: [...new Set(destinations)] }
}

export const toToken = ({ redirect_uris, ...row }: Row): z.output<typeof Token> => ({
  ...row,
  ...timestampsOf({ ...row, expires_at: row.client_id === null ? row.expires_at : null }),
  client: row.client_id === null ? null : clientOf(row.client_id, redirect_uris ?? []),
})
