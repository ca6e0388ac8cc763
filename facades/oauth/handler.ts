import { Router } from 'express'
import { type AuthorizeOptions, authorizePages } from './authorize.ts'
import { allowCrossOrigin, endpoints } from './endpoints.ts'
import { metadataRoutes } from './metadata.ts'

/**
 * The authorization server through which a person connects a client to the User API's tool server. Of
 * OAuth 2.1 it supports the authorization code with PKCE and refresh tokens only.
 */
export const oauthHandler = (options: AuthorizeOptions): Router => {
  const { core } = options.contextFor(null)
  const router = Router({ caseSensitive: true, strict: true })
  router.use(
    ['/.well-known', '/oauth/.well-known', '/oauth/token', '/oauth/register', '/oauth/revoke'],
    allowCrossOrigin,
  )
  router.use(metadataRoutes(core.addresses))
  router.use(authorizePages(options))
  router.use(endpoints(core))
  return router
}
