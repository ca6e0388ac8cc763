import type { TagToken } from 'liquidjs'
import { TemplateFailure } from './failure.ts'
import { positionIn } from './position.ts'

/** Tags that begin another section of the tag around them, with the tags that can have such sections. */
const SECTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['else', ['if', 'unless', 'case', 'for']],
  ['elsif', ['if', 'unless']],
  ['when', ['case']],
])

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** The tags that can be around a tag that has no meaning alone, such as `endif` and `else`; undefined for other tags. */
const ownersOf = (name: string): readonly string[] | undefined =>
  SECTIONS.get(name) ?? (name.startsWith('end') ? [name.slice(3)] : undefined)

/** Lists the tags that can be around a tag, such as `{% if %} or {% unless %}`. Undefined if the tag can be alone. */
export const ownersText = (name: string): string | undefined => {
  const owners = ownersOf(name)
  return owners && OR.format(owners.map(owner => `{% ${owner} %}`))
}

/**
 * Refuses a tag such as `endif` or `else` that does not belong to the innermost open tag, but to one around it: the
 * tags between them are still open. Does nothing if no open tag can have such an end or section.
 *
 * @param open the open tags around `token`, the innermost last
 * @throws TemplateFailure at the innermost open tag
 */
export const requireClosedBefore = (token: TagToken, open: readonly TagToken[]): void => {
  const owner = open.findLast(({ name }) => ownersOf(token.name)?.includes(name))
  const left = open.at(-1)
  if (!owner || !left) return
  const { line } = positionIn(token.input, token.begin)
  const effect = token.name.startsWith('end') ? 'closes' : 'continues'
  if (left.name === 'layout')
    throw new TemplateFailure(
      'syntax',
      `{% layout %} is inside {% ${owner.name} %}, which {% ${token.name} %} in line ${line} ${effect}.`,
      'Move {% layout %} to the beginning, outside all other tags: it contains everything after it.',
      left,
    )
  throw new TemplateFailure(
    'syntax',
    `{% ${left.name} %} is still open where {% ${token.name} %} in line ${line} ${effect} {% ${owner.name} %}.`,
    `Add {% end${left.name} %} before {% ${token.name} %}, or remove {% ${left.name} %}.`,
    left,
  )
}
