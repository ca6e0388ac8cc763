/** Longest address that an answer is sent to, in characters. */
const MAX_LENGTH = 2048

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes that are not an app's own: they run something, show something, or belong to browser and network. */
const NOT_AN_APPS = new Set(
  (
    'http https ws wss ftp sftp ssh telnet file smb ldap ldaps ' +
    'javascript vbscript data blob filesystem about view-source jar urn ' +
    'chrome edge resource intent android-app content ms-msdt search-ms ' +
    'mailto tel sms geo magnet cid mid'
  )
    .split(' ')
    .map(scheme => `${scheme}:`),
)

const parsed = (text: string): URL | null =>
  // What a header can carry and what is the same before and after parsing.
  text.length <= MAX_LENGTH && /^[\x21-\x7e]+$/.test(text) && !text.includes('\\') && URL.canParse(text)
    ? new URL(text)
    : null

/**
 * Whether an answer may ever be sent there: an https address, http on the own machine, or an app's own scheme
 * (RFC 8252). Never something that a browser would run, and nothing with a fragment or a password.
 */
export const isRedirectUri = (text: string): boolean => {
  const url = parsed(text)
  if (!url || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname)
  return !NOT_AN_APPS.has(url.protocol)
}

/**
 * Whether a client may have its answer sent there: exactly as registered, but for the port on the own machine, which
 * a program gets from its system anew each time (RFC 8252, 7.3).
 */
export const isRegistered = (registered: readonly string[], asked: string): boolean =>
  isRedirectUri(asked) &&
  registered.some(known => known === asked || withoutLoopbackPort(known) === withoutLoopbackPort(asked))

const withoutLoopbackPort = (text: string): string => {
  const url = parsed(text)
  if (url?.protocol !== 'http:' || !LOOPBACK.has(url.hostname)) return text
  return text.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/:?]*)):\d*/i, '$1')
}

/** Where somebody is sent, as it can be told to them. */
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

/** The address with parameters added; what it had already stays as it was written. */
export const withAnswer = (redirectUri: string, answer: Record<string, string | undefined>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) query.set(name, value)
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query.toString()}`
}
