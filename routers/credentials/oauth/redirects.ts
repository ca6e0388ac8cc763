/** Maximum length of a redirect URI, in characters. */
const MAX_LENGTH = 2048

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Established app schemes that are not reverse domain names. */
const KNOWN_APPS = new Set(
  ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed', 'warp', 'raycast', 'goose'].map(
    name => `${name}:`,
  ),
)

/** Schemes of operating systems. They look like reverse domain names, but can do more than open an app. */
const SYSTEM_SCHEME = /^(?:microsoft|com\.microsoft|windows|com\.apple|android|com\.android)\./

/**
 * Whether a redirect URI may have this scheme: a reverse domain name (RFC 8252, 7.1), or the scheme of a known app.
 * Other schemes, such as `ms-officecmd:`, can start programs or run scripts.
 */
const isAppScheme = (protocol: string): boolean =>
  KNOWN_APPS.has(protocol) ||
  (/^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/.test(protocol) && !SYSTEM_SCHEME.test(protocol))

const parsed = (text: string): URL | null =>
  // Only characters that a header can carry and that URL parsing does not change.
  text.length <= MAX_LENGTH && /^[\x21-\x7e]+$/.test(text) && !text.includes('\\') && URL.canParse(text)
    ? new URL(text)
    : null

/**
 * Whether a redirect URI is acceptable: https, http on the local machine, or the scheme of an app (RFC 8252).
 * Fragments and credentials are refused.
 */
export const isRedirectUri = (text: string): boolean => {
  const url = parsed(text)
  if (!url || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname)
  return isAppScheme(url.protocol)
}

/**
 * Whether a redirect URI is registered. It must match exactly, except for the port of an address on the local machine:
 * the system assigns this port each time a program runs (RFC 8252, 7.3).
 */
export const isRegistered = (registered: readonly string[], uri: string): boolean =>
  isRedirectUri(uri) &&
  registered.some(known => known === uri || withoutLoopbackPort(known) === withoutLoopbackPort(uri))

const withoutLoopbackPort = (text: string): string => {
  const url = parsed(text)
  if (url?.protocol !== 'http:' || !LOOPBACK.has(url.hostname)) return text
  return text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d*/i, '$1')
}

/** A redirect target, as described on the consent page. */
export type Destination =
  | { kind: 'web'; host: string }
  | { kind: 'this computer'; host: string }
  | { kind: 'app'; scheme: string }

export const destinationOf = (redirectUri: string): Destination => {
  const { protocol, host } = new URL(redirectUri)
  if (protocol === 'https:') return { kind: 'web', host }
  if (protocol === 'http:') return { kind: 'this computer', host }
  return { kind: 'app', scheme: protocol }
}

/** Appends parameters to a redirect URI without changing the rest of it. */
export const withParameters = (
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.toString()}`
}
