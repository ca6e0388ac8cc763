import { Router } from 'express'
import { type AuthorizeOptions, authorizePages } from './authorize.ts'
import { allowCrossOrigin, CLIENT_PATHS, endpoints } from './endpoints.ts'
import { metadataRoutes } from './metadata.ts'

/**
 * The authorization server through which a person connects a client to a tool server: to one space, or to their
 * account. It supports only these parts of OAuth 2.1: the authorization code grant with PKCE, and refresh tokens.
 */
export const oauthHandler = (options: AuthorizeOptions): Router => {
  const { core } = options.contextFor(null)
  const router = Router({ caseSensitive: true, strict: true })
  router.use(['/.well-known', '/oauth/.well-known', ...CLIENT_PATHS], allowCrossOrigin)
  router.use(metadataRoutes(core.addresses))
  router.use(authorizePages(options))
  router.use(endpoints(core))
  return router
}
