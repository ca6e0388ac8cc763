import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition } from '../../routers/api/precondition.ts'
import { parseTags } from '../http/preconditions.ts'
import type { Operation } from '../operations/list.ts'

/** Returns those conditions of a request that the operation supports; undefined if there are none. */
export const conditionsOf = (
  { meta: { conditional = [] } }: Operation,
  headers: IncomingHttpHeaders,
): Precondition | undefined => {
  const ifMatch = conditional.includes('If-Match') ? headers['if-match'] : undefined
  const ifNoneMatch = conditional.includes('If-None-Match') ? headers['if-none-match'] : undefined
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined
  return {
    ...(ifMatch === undefined ? {} : { ifMatch: parseTags(ifMatch, 'strong') }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch: parseTags(ifNoneMatch, 'weak') }),
  }
}
