import { z } from 'zod'
import { limits } from '../../api/rules.ts'
import { isVisible, shownText } from '../../api/shown-text.ts'
import { OauthError } from './error.ts'
import { isRedirectUri } from './redirects.ts'

const MAX_REDIRECTS = 10

const Metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECTS),
  client_name: z.string().optional(),
  grant_types: z.array(z.string()).optional(),
  response_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
})

/** What the value of each field must be, for error messages. */
const SHAPES: Readonly<Record<string, string>> = {
  redirect_uris: `a list of 1 to ${MAX_REDIRECTS} addresses`,
  client_name: 'a string',
  grant_types: 'a list of strings',
  response_types: 'a list of strings',
  token_endpoint_auth_method: 'a string',
} satisfies Record<keyof z.output<typeof Metadata>, string>

export type ClientMetadata = z.output<typeof Metadata>

/**
 * Validates the metadata of a client. Unknown fields are ignored, as RFC 7591 requires.
 *
 * @throws OauthError `invalid_redirect_uri` or `invalid_client_metadata`
 */
export const readMetadata = (document: unknown): ClientMetadata => {
  const result = Metadata.safeParse(document)
  if (!result.success) {
    const fields = result.error.issues.map(({ path }) => String(path[0] ?? 'The document'))
    const broken = [...new Set(fields)]
    throw new OauthError(
      broken.every(field => field === 'redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
      broken.map(field => `${field} must be ${SHAPES[field] ?? 'a JSON object'}`).join('; '),
    )
  }
  const { redirect_uris, grant_types, response_types } = result.data
  const bad = redirect_uris.find(uri => !isRedirectUri(uri))
  if (bad !== undefined)
    throw new OauthError(
      'invalid_redirect_uri',
      `${bad.slice(0, 200)} must be an https address, an http address on the local machine, or an address whose scheme is a reverse domain name (com.example.app:). It must not contain a fragment or a user name`,
    )
  if (grant_types && !grant_types.includes('authorization_code'))
    throw new OauthError('invalid_client_metadata', 'grant_types must include authorization_code')
  if (response_types && !response_types.includes('code'))
    throw new OauthError('invalid_client_metadata', 'response_types must include code')
  return result.data
}

/** Returns a client's name to show: one line without invisible characters, at most as long as a token's label. */
export const displayName = (name: string | undefined): string => {
  const line = shownText(name ?? '')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  const shown = Array.from(line).slice(0, limits.keyLabel).join('').trim()
  return isVisible(shown) ? shown : 'Unnamed app'
}
