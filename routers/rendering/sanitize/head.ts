/** Which `<meta>` and `<link>` elements of a static page are kept, after their attributes have been checked. */
import type { ValueRule } from './addresses.ts'
import { link, resource, schemeOf } from './addresses.ts'

/** An attribute as written to the output. */
export type Attribute = { name: string; value: string }

/**
 * Allowed names: all except those that make old versions of Windows load addresses. A `<meta>` that has a name
 * can only describe the page; instructions to the browser use `http-equiv`.
 */
const metaName = /^(?!msapplication-(?:config|task|badge|notification))[a-z0-9][a-z0-9.:_-]{0,99}$/

/** Link preview properties whose content is an address. */
const cardAddress = /:(?:url|secure_url|image|video|audio|player|src|author|publisher|see_also)$/

/** Schemes not allowed in any `content` attribute, because some clients treat its value as an address. */
const activeSchemes = new Set(['javascript', 'vbscript', 'data', 'blob', 'file'])

const attributeOf = (attributes: readonly Attribute[], name: string): string | undefined =>
  attributes.find(attribute => attribute.name === name)?.value

/**
 * Whether a `<meta>` only describes the page.
 *
 * @param source all attributes that the author wrote. A `<meta>` with `http-equiv` is an instruction to the browser,
 * even if it also has a harmless name.
 */
export function keepsMeta(source: readonly Attribute[]): boolean {
  if (attributeOf(source, 'http-equiv') !== undefined) return false
  const content = attributeOf(source, 'content') ?? ''
  if (activeSchemes.has(schemeOf(content) ?? '')) return false
  if (attributeOf(source, 'charset') !== undefined) return true
  const name = (attributeOf(source, 'name') ?? attributeOf(source, 'property') ?? '').trim().toLowerCase()
  if (cardAddress.test(name) && link(content) === undefined) return false
  return metaName.test(name) || attributeOf(source, 'itemprop') !== undefined
}

/** Matches a relation (`rel`) that makes browsers load the address of the `<link>`. */
const loadedRelations =
  /^(?:stylesheet|icon|shortcut|apple-touch-icon|apple-touch-icon-precomposed|mask-icon|manifest)$/i

/** The rule for a `<link>`'s address, which depends on whether browsers load it or only follow it. */
export function linkRule(source: readonly Attribute[]): ValueRule {
  const relations = attributeOf(source, 'rel')?.split(/[\t\n\f\r ]+/) ?? []
  return relations.some(relation => loadedRelations.test(relation)) ? resource : link
}

/** Whether a `<link>` still has a relation and an address. @param kept the attributes that passed their rules */
export function keepsLink(kept: readonly Attribute[]): boolean {
  return attributeOf(kept, 'rel') !== undefined && attributeOf(kept, 'href') !== undefined
}
