import { limits } from '../../../routers/api/rules.ts'
import { Failure } from '../failure.ts'

/** Where a space is. */
export interface SpaceAddress {
  /** The address of the space in the dashboard: `https://example.com/admin/spaces/garden`. */
  address: string
  /** The root of the service's API. */
  root: string
  origin: string
  subdomain: string
}

const SUBDOMAIN = new RegExp(limits.subdomain)

/**
 * Reads the address of a space: that of any of its views in the dashboard, or of the space in the API.
 *
 * @param source where the text comes from, for the message
 * @throws {Failure}
 */
export const parseAddress = (text: string, source = ''): SpaceAddress => {
  const url = URL.parse?.(text) ?? (URL.canParse(text) ? new URL(text) : null)
  const match = /^(.*?)(?:\/v1|\/admin)?\/(?:spaces|transfer)\/([^/]+)(?:\/.*)?$/.exec(url?.pathname ?? '')
  const subdomain = match?.[2] ?? ''
  if (!url || !['http:', 'https:'].includes(url.protocol) || !match || !SUBDOMAIN.test(subdomain))
    throw new Failure(
      `${source}"${text}" is not the address of a space; copy it from the dashboard: https://example.com/admin/spaces/garden.`,
      2,
    )
  const root = url.origin + match[1]!
  return { address: `${root}/admin/spaces/${subdomain}`, root, origin: url.origin, subdomain }
}

/**
 * Reads the address of a space, or of a service: then no space is named.
 *
 * @throws {Failure}
 */
export const parseInstance = (text: string): { root: string; subdomain: string | null } => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:$/.test(url.protocol) && !/\/(?:spaces|transfer)\/[^/]/.test(url.pathname))
    return {
      root: url.origin + url.pathname.replace(/\/(?:admin(?:\/.*)?|space-site.*\.tgz)?$/, ''),
      subdomain: null,
    }
  return parseAddress(text)
}
