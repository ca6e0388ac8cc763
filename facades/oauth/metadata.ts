import { Router } from 'express'
import type { Addresses } from '../../routers/core/addresses.ts'
import { USER_SCOPES } from '../../routers/core/scopes.ts'
import { type OauthAddresses, oauthAddresses } from '../../routers/credentials/oauth/addresses.ts'

/** Protected resource metadata (RFC 9728). */
const resourceMetadata = ({ resource, issuer }: OauthAddresses, docsUrl: string) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: USER_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Space Site: User API for agents',
  resource_documentation: docsUrl,
})

/** Authorization server metadata (RFC 8414, 9207; client ID metadata documents). */
const serverMetadata = ({ issuer }: OauthAddresses, docsUrl: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  scopes_supported: USER_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: docsUrl,
})

/**
 * Serves both metadata documents at their well-known addresses. There is none at the root of the host: it would
 * describe the whole host, but space keys cannot be requested through OAuth.
 */
export const metadataRoutes = (addresses: Addresses): Router => {
  const oauth = oauthAddresses(addresses)
  const path = new URL(oauth.issuer).pathname
  const server = serverMetadata(oauth, addresses.docsUrl)
  const router = Router({ caseSensitive: true, strict: true })
  const documents = [
    [new URL(oauth.resourceMetadata).pathname, resourceMetadata(oauth, addresses.docsUrl)],
    [new URL(oauth.serverMetadata).pathname, server],
    // Some clients try the OpenID Connect names.
    [`/.well-known/openid-configuration${path}`, server],
    ['/oauth/.well-known/openid-configuration', server],
    ['/oauth/.well-known/oauth-authorization-server', server],
  ] as const
  for (const [address, metadata] of documents)
    router.get(address, (_req, res) => void res.set('Cache-Control', 'public, max-age=3600').json(metadata))
  return router
}
