import { readFileSync } from 'node:fs'
import { Router } from 'express'
import { type AuthorizeOptions, authorizePages } from './authorize.ts'
import { descriptions } from './descriptions.ts'
import { endpoints, open } from './endpoints.ts'

const STYLE = readFileSync(new URL('style.css', import.meta.url))

/**
 * The authorization server by which a person connects a client to the User API's tool server (decision 43): OAuth 2.1
 * with authorization code, PKCE and refresh tokens, and nothing else of it.
 */
export const oauthDoor = (options: AuthorizeOptions): Router => {
  const { core } = options.contextFor(null)
  const router = Router({ caseSensitive: true, strict: true })
  router.get('/oauth/style.css', (_req, res) =>
    res.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' }).type('css').send(STYLE),
  )
  router.use(['/.well-known', '/oauth/.well-known', '/oauth/token', '/oauth/register', '/oauth/revoke'], open)
  router.use(descriptions(core.addresses))
  router.use(authorizePages(options))
  router.use(endpoints(core))
  return router
}
