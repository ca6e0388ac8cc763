import { Router } from 'express'
import type { Addresses } from '../../routers/api/addresses.ts'
import {
  KIND_OF,
  type OauthAddresses,
  oauthAddresses,
  RESOURCE_SCOPES,
  type ResourceName,
} from '../../routers/credentials/oauth/addresses.ts'
import { sendText } from '../http/send-text.ts'
import { apis } from '../shared/apis.ts'

/** Protected resource metadata (RFC 9728). */
const resourceMetadata = (name: ResourceName, { resources, issuer }: OauthAddresses, docsUrl: string) => ({
  resource: resources[name].url,
  authorization_servers: [issuer],
  scopes_supported: RESOURCE_SCOPES[KIND_OF[name]],
  bearer_methods_supported: ['header'],
  resource_name:
    name === 'transfer'
      ? 'Space Site: a space in a folder'
      : `Space Site: ${apis.find(api => api.name === KIND_OF[name])!.title} for agents`,
  resource_documentation: docsUrl,
})

/** Authorization server metadata (RFC 8414, 9207; client ID metadata documents). */
const serverMetadata = ({ issuer }: OauthAddresses, docsUrl: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  scopes_supported: Object.values(RESOURCE_SCOPES).flat(),
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
 * Serves the metadata documents at their well-known addresses. No document is at the root of the host, because the
 * issuer's address is below the root.
 */
export const metadataRoutes = (addresses: Addresses): Router => {
  const oauth = oauthAddresses(addresses)
  const path = new URL(oauth.issuer).pathname
  const server = serverMetadata(oauth, addresses.docsUrl)
  const router = Router({ caseSensitive: true, strict: true })
  const documents = [
    ...(Object.keys(KIND_OF) as ResourceName[]).map(
      name =>
        [
          new URL(oauth.resources[name].metadata).pathname,
          resourceMetadata(name, oauth, addresses.docsUrl),
        ] as const,
    ),
    [new URL(oauth.serverMetadata).pathname, server],
    // Some clients request the metadata at the addresses of OpenID Connect.
    [`/.well-known/openid-configuration${path}`, server],
    ['/oauth/.well-known/openid-configuration', server],
    ['/oauth/.well-known/oauth-authorization-server', server],
  ] as const
  for (const [address, metadata] of documents)
    router.get(address, (_req, res) =>
      sendText(res.type('json'), JSON.stringify(metadata), { 'Cache-Control': 'public, max-age=3600' }),
    )
  return router
}
