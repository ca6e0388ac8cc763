import type { Request } from 'express'

/**
 * Whether a page of another site sent the request, according to the headers that browsers set. Other clients do not
 * send these headers, so their requests are not cross-site.
 *
 * @param origin the only origin whose pages may send requests
 */
export const isCrossSite = ({ headers }: Request, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return headers.origin !== undefined && headers.origin !== origin
}
