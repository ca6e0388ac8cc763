import type { IncomingHttpHeaders } from 'node:http'
import type { Precondition, Tags } from '../../routers/core/precondition.ts'
import type { Operation } from '../operations/list.ts'

/** One element of a list of entity tags, with the comma after it. The element can be empty. */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y

/**
 * Parses a list of entity tags. A malformed list is treated as empty.
 *
 * @param comparison whether weak tags count
 */
const parseTags = (header: string, comparison: 'strong' | 'weak'): Tags => {
  if (header.trim() === '*') return '*'
  const tags: string[] = []
  for (let at = 0; at < header.length; at = ELEMENT.lastIndex) {
    ELEMENT.lastIndex = at
    const element = ELEMENT.exec(header)
    if (!element) return []
    const [, weak, tag] = element
    if (tag !== undefined && !(weak && comparison === 'strong')) tags.push(tag)
  }
  return tags
}

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
