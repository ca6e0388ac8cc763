/** A program that connects by the server's address alone, and a person who lets it in with a browser. */
import type { OAuthDiscoveryState } from '@modelcontextprotocol/client'
import { TestBrowser } from '../../oauth/support/flow.ts'

/** What the SDKs ask of a program that connects; the same for both of them. */
export class ConnectingClient {
  redirectUrl = 'http://127.0.0.1:4567/callback'
  readonly clientMetadata = {
    client_name: 'Automated client',
    redirect_uris: ['http://127.0.0.1:4567/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  /** Where it describes itself; without that it registers. */
  clientMetadataUrl?: string
  /** What the person's browser was sent back with. */
  answer = new URLSearchParams()
  /** How often the person was asked. */
  asked = 0
  readonly #kept: Kept = {}
  readonly #approve: (authorizationUrl: URL) => Promise<URL>

  /** @param approve opens the address as the person and returns where it led */
  constructor(approve: (authorizationUrl: URL) => Promise<URL>) {
    this.#approve = approve
  }

  state() {
    return 'state-of-the-client'
  }
  clientInformation() {
    return this.#kept.client
  }
  saveClientInformation(client: NonNullable<Kept['client']>) {
    this.#kept.client = client
  }
  tokens() {
    return this.#kept.tokens
  }
  saveTokens(tokens: NonNullable<Kept['tokens']>) {
    this.#kept.tokens = tokens
  }
  saveCodeVerifier(verifier: string) {
    this.#kept.verifier = verifier
  }
  codeVerifier() {
    return this.#kept.verifier ?? ''
  }
  discoveryState() {
    return this.#kept.discovery
  }
  saveDiscoveryState(discovery: OAuthDiscoveryState) {
    this.#kept.discovery = discovery
  }
  async redirectToAuthorization(url: URL) {
    this.asked++
    this.answer = (await this.#approve(url)).searchParams
  }
  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (what === 'all' || what === 'client') delete this.#kept.client
    if (what === 'all' || what === 'tokens') delete this.#kept.tokens
  }
}

interface Kept {
  discovery?: OAuthDiscoveryState
  client?: { client_id: string; issuer?: string }
  tokens?: { access_token: string; token_type: string; refresh_token?: string; issuer?: string }
  verifier?: string
}

/** A person who signs in and allows what they are asked, without looking. */
export const approver =
  (handle: string, scopes?: string[]) =>
  async (url: URL): Promise<URL> => {
    const browser = new TestBrowser(url.origin)
    const first = await browser.open(url.pathname + url.search)
    const page = await browser.signIn(handle, first.field('request'))
    const { location } = await browser.answer(page, 'allow', scopes)
    return location!
  }
