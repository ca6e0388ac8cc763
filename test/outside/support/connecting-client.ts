/**
 * An OAuth client, and a person who approves the client's request in a browser. The client knows only the URL of the
 * server.
 */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client'
import { TestBrowser } from '../../oauth/support/flow.ts'

/** A client that implements the OAuth provider interface of both SDKs. */
export class ConnectingClient {
  redirectUrl = 'http://127.0.0.1:4567/callback'
  readonly clientMetadata = {
    client_name: 'Automated client',
    redirect_uris: ['http://127.0.0.1:4567/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  /** URL of the client's metadata document. If it is not set, the client registers. */
  clientMetadataUrl?: string
  /** Parameters of the redirect back to the client. */
  redirectParams = new URLSearchParams()
  /** How often the person has approved a request. */
  approvals = 0
  readonly #stored: Stored = {}
  readonly #approve: (authorizationUrl: URL) => Promise<URL>

  /** @param approve approves the request as the person and returns the redirect target */
  constructor(approve: (authorizationUrl: URL) => Promise<URL>) {
    this.#approve = approve
  }

  state() {
    return 'state-of-the-client'
  }
  clientInformation() {
    return this.#stored.client
  }
  saveClientInformation(client: NonNullable<Stored['client']>) {
    this.#stored.client = client
  }
  tokens() {
    return this.#stored.tokens
  }
  saveTokens(tokens: NonNullable<Stored['tokens']>) {
    this.#stored.tokens = tokens
  }
  saveCodeVerifier(verifier: string) {
    this.#stored.verifier = verifier
  }
  codeVerifier() {
    return this.#stored.verifier ?? ''
  }
  discoveryState() {
    return this.#stored.discovery
  }
  saveDiscoveryState(discovery: OAuthDiscoveryState) {
    this.#stored.discovery = discovery
  }
  async redirectToAuthorization(url: URL) {
    this.approvals++
    this.redirectParams = (await this.#approve(url)).searchParams
  }
  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (what === 'all' || what === 'client') delete this.#stored.client
    if (what === 'all' || what === 'tokens') delete this.#stored.tokens
  }
}

interface Stored {
  discovery?: OAuthDiscoveryState
  client?: { client_id: string; issuer?: string }
  tokens?: { access_token: string; token_type: string; refresh_token?: string; issuer?: string }
  verifier?: string
}

/**
 * Returns a function that signs in as a person and approves a request.
 *
 * @param subdomain the space to choose, if the client asks for one
 */
export const approver =
  (handle: string, scopes?: string[], subdomain?: string) =>
  async (url: URL): Promise<URL> => {
    const browser = new TestBrowser(url.origin)
    const first = await browser.open(url.pathname + url.search)
    const page = await browser.signIn(handle, first.field('request'))
    const { location } = await browser.decide(page, 'allow', scopes, subdomain)
    return location!
  }
