import type { Request } from 'express'

/**
 * Whether a browser says that another site's page sent the request. Programs other than browsers say nothing.
 *
 * @param origin the only one that requests may come from
 */
export const isCrossSite = ({ headers }: Request, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return headers.origin !== undefined && headers.origin !== origin
}
