/**
 * Headers of the pages: nothing runs on them, no page may frame them, and nothing is told to whoever comes next. Which
 * page opened them is not cut off, because a client may wait in the window behind for its answer.
 *
 * @param redirectUri where the answer to a form on the page may lead
 */
export const pageHeaders = (redirectUri?: string) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    `form-action 'self'${redirectUri === undefined ? '' : ` ${formTargets(redirectUri)}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer` browsers would also hide the origin of our own forms from us.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})

/**
 * Chromium holds `form-action` against every redirect that follows a form, so that the client's address has to be in
 * it, and where that leads in turn: clients on the web and on the own machine often go on to an https page of theirs.
 * Sources cannot name IPv6 addresses, so that one of those opens all of http.
 */
const formTargets = (redirectUri: string): string => {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return 'https:'
  if (protocol === 'http:') return `${hostname.startsWith('[') ? 'http:' : `http://${host}`} https:`
  return protocol
}
