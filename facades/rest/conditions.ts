import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition } from '../../routers/api/precondition.ts'
import { parseTags } from '../http/conditional-requests.ts'
import type { Operation } from '../operations/list.ts'

/**
 * Returns the conditions of a request; undefined if there are none. A read has only those that its operation documents: a
 * condition of a read that is ignored changes nothing. A write must not ignore any.
 */
export const conditionsOf = (
  { method, meta: { conditional = [] } }: Operation,
  headers: IncomingHttpHeaders,
): Precondition | undefined => {
  const accepts = (name: (typeof conditional)[number]) => method !== 'GET' || conditional.includes(name)
  const ifMatch = accepts('If-Match') ? headers['if-match'] : undefined
  const ifNoneMatch = accepts('If-None-Match') ? headers['if-none-match'] : undefined
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined
  return {
    ...(ifMatch === undefined ? {} : { ifMatch: parseTags(ifMatch, 'strong') }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseTags(ifNoneMatch, 'weak') }),
  }
}
