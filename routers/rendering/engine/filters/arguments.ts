import type { FilterImplOptions } from 'liquidjs'

type FilterThis = ThisParameterType<Exclude<FilterImplOptions, { raw: boolean }>>

/**
 * Separates a filter's arguments from its named ones, as in `date: "%A", lang: "de"`. liquidjs passes a named argument
 * as a pair.
 */
export function separate(
  filter: FilterThis,
  args: readonly unknown[],
): { given: unknown[]; named: ReadonlyMap<unknown, unknown> } {
  const named = new Map<unknown, unknown>()
  const given: unknown[] = []
  for (const [index, arg] of args.entries()) {
    if (Array.isArray(filter.token.args[index])) named.set(...(arg as [unknown, unknown]))
    else given.push(arg)
  }
  return { given, named }
}
