import { pagePolicy } from '../http/policy.ts'
import { style } from './pages.ts'

/**
 * Returns the headers of the pages: no scripts, no framing, no referrer to other origins. There is no
 * `Cross-Origin-Opener-Policy`, because a client may be waiting in the window that opened the page.
 *
 * @param base base path of the main site
 * @param redirectUri where a form on the page may redirect
 */
export const pageHeaders = (base: string, redirectUri?: string) => ({
  'Content-Security-Policy': pagePolicy(style(base), {
    'form-action': `'self'${redirectUri === undefined ? '' : ` ${formTargets(redirectUri)}`}`,
  }),
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer`, browsers would send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})

/**
 * Returns the `form-action` sources. After a form is sent, Chromium checks every redirect against these sources, so the
 * sources must allow the client's address.
 *
 * - Web and local clients often redirect to another https page, so all of https is allowed for these clients.
 * - CSP sources cannot name IPv6 addresses, so all of http is allowed for a local client with such an address.
 */
const formTargets = (redirectUri: string): string => {
  const { protocol, host, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return 'https:'
  if (protocol === 'http:') return `${hostname.startsWith('[') ? 'http:' : `http://${host}`} https:`
  return protocol
}
