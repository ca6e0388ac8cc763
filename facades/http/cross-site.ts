import type { Request } from 'express'

/**
 * Whether a page of another site sent the request, by the headers that browsers set. Other clients send none of these
 * headers and are allowed.
 *
 * @param origin the only origin that may send requests
 */
export const isCrossSite = ({ headers }: Request, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return headers.origin !== undefined && headers.origin !== origin
}
