import { z } from 'zod'
import { limits } from '../../core/rules.ts'
import { OauthError } from './error.ts'
import { isRedirectUri } from './redirects.ts'

const MOST_REDIRECTS = 10

const Metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MOST_REDIRECTS),
  client_name: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
})

export type ClientMetadata = z.output<typeof Metadata>

/**
 * What a client says of itself, judged; fields that mean nothing here are passed over, as RFC 7591 asks.
 *
 * @throws OauthError `invalid_redirect_uri` or `invalid_client_metadata`
 */
export const readMetadata = (said: unknown): ClientMetadata => {
  const result = Metadata.safeParse(said)
  if (!result.success) {
    const [issue] = result.error.issues
    const field = issue?.path.join('.') || 'The document'
    throw new OauthError(
      field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      `${field} ${issue?.message ?? 'is wrong'}; redirect_uris is a list of 1 to ${MOST_REDIRECTS} addresses`,
    )
  }
  const { redirect_uris, grant_types, response_types } = result.data
  const bad = redirect_uris.find(uri => !isRedirectUri(uri))
  if (bad !== undefined)
    throw new OauthError(
      'invalid_redirect_uri',
      `${bad.slice(0, 200)} is no https address, no http address of this machine and no address of an app's own scheme, or it has a fragment or a user name`,
    )
  if (grant_types && !grant_types.includes('authorization_code'))
    throw new OauthError('invalid_client_metadata', 'grant_types has to include authorization_code')
  if (response_types && !response_types.includes('code'))
    throw new OauthError('invalid_client_metadata', 'response_types has to include code')
  return result.data
}

/** A client's name as it is shown: one line, nothing that hides or turns text, no longer than a token's label. */
export const shownName = (name: string | undefined): string => {
  const line = (name ?? '')
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  return Array.from(line).slice(0, limits.keyLabel).join('').trim() || 'A client without a name'
}
