import { z } from 'zod'
import { isDocumentId } from './oauth/client-documents.ts'
import { COMMAND_LINE } from './oauth/clients.ts'
import { destinationOf } from './oauth/redirects.ts'

/** The client that holds a credential. */
const Client = z.object({
  /** Host of the client's metadata document; null for a self-registered client. */
  host: z.string().nullable(),
  /** Hosts or custom schemes of the client's redirect URIs. */
  sends_to: z.array(z.string()),
  /** Whether this is the command `space`, on a computer of the person. */
  is_command: z.boolean(),
})

/** Output fields about the client of a key or token. */
export const clientFields = {
  /** The client that was connected through OAuth; null for a credential that a person issued. */
  client_id: z.string().nullable(),
  client: Client.nullable(),
}

/** The client fields of a credential that a person issued. */
export const NO_CLIENT = { client_id: null, client: null }

/**
 * Returns the client fields of a stored credential. If the credential belongs to a client, the result also sets
 * `expires_at` to null. No expiry is shown then, because the client can refresh the credential.
 *
 * @param redirectUris of a dynamically registered client
 */
export const clientFieldsOf = (row: { client_id: string | null }, redirectUris: readonly string[] | null) =>
  row.client_id === null
    ? NO_CLIENT
    : { client_id: row.client_id, client: clientOf(row.client_id, redirectUris ?? []), expires_at: null }

const clientOf = (id: string, redirectUris: readonly string[]): z.output<typeof Client> => {
  const destinations = redirectUris.map(uri => {
    const to = destinationOf(uri)
    return to.kind === 'app' ? to.scheme : to.host
  })
  return {
    host: isDocumentId(id) ? new URL(id).host : null,
    sends_to: [...new Set(destinations)],
    is_command: id === COMMAND_LINE.id,
  }
}
