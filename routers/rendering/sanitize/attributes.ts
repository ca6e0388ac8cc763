import type { ValueRule } from './addresses.ts'
import { isDataOrAria } from './allowed.ts'
import { type Attribute, keepsLink, keepsMeta, linkRule } from './head.ts'
import type { Removals } from './removals.ts'

/** Whether part of a value was removed, rather than just reformatted. */
const isShortened = (name: string, value: string, checked: string): boolean =>
  (name === 'style' && checked !== value) ||
  (name === 'rel' && checked.split(' ').length < value.split(/[\t\n\f\r ]+/).filter(Boolean).length)

/** An attribute as the author wrote it. Attributes with a namespace are never kept. */
type WrittenAttribute = Attribute & { namespace?: string | undefined }

/**
 * Returns the attributes to write for an allowed element. Returns undefined if the author's attributes mean that the
 * whole element must be left out.
 */
export function keptAttributes(
  element: string,
  written: readonly WrittenAttribute[],
  rules: ReadonlyMap<string, ValueRule>,
  removals?: Removals,
): Attribute[] | undefined {
  if (element === 'meta' && !keepsMeta(written)) return undefined
  const kept: Attribute[] = []
  for (const { name, value, namespace } of written) {
    const rule = element === 'link' && name === 'href' ? linkRule(written) : rules.get(name)
    const checked = namespace ? undefined : isDataOrAria(name) ? value : rule?.(value)
    if (checked === undefined) removals?.attribute(element, name, rule !== undefined)
    else kept.push({ name, value: checked })
    if (removals && checked !== undefined && isShortened(name, value, checked))
      removals.partOfAttribute(element, name)
  }
  return element === 'link' && !keepsLink(kept) ? undefined : kept
}
