/** Where a body writes the name of a part. */
export interface LiteralUse {
  name: string
  /** Where the name is, without its quotes; null if the name is not found in the tag. */
  place: { begin: number; end: number } | null
  /**
   * The positions after the values that the tag passes without `as`. Such a value becomes a variable with the name of
   * the part. To keep the variable's name when the part is renamed, insert `as NAME` at these positions.
   */
  bindings: number[]
}

/** The start of a tag up to the end of its first argument, if that is a quoted string. */
const FIRST_TEXT = /(?:\{%-?)?\s*\w+\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/sy

const AS = /\s*as(?![\w?-])/y

/** Returns where the name of a part is in a tag that begins at `begin`, in a body or in `{% liquid %}`. */
export function literalPlace(source: string, begin: number): LiteralUse['place'] {
  FIRST_TEXT.lastIndex = begin
  const found = FIRST_TEXT.exec(source)
  if (!found) return null
  const end = FIRST_TEXT.lastIndex - 1
  return { begin: end - (found[1] ?? found[2] ?? '').length, end }
}

/** Finds the values that a tag passes without `as`, and returns the position after each; see {@link LiteralUse}. */
export function implicitBindings(
  source: string,
  name: string,
  bindings: readonly ({ alias?: string; value: { end: number } } | undefined)[],
): number[] {
  return bindings.flatMap(binding => {
    if (!binding || (binding.alias ?? name) !== name) return []
    AS.lastIndex = binding.value.end
    return AS.test(source) ? [] : [binding.value.end]
  })
}

/**
 * Replaces the name of a part wherever a body includes it. Variables with the name of the part keep their name, because
 * the part reads them by that name.
 */
export function withNewName(
  source: string,
  uses: readonly LiteralUse[],
  { from, to }: { from: string; to: string },
): string {
  const edits = uses
    .filter(({ name }) => name === from)
    .flatMap(({ place, bindings }) => [
      ...(place ? [{ ...place, text: to }] : []),
      ...bindings.map(end => ({ begin: end, end, text: ` as ${from}` })),
    ])
    .sort((a, b) => a.begin - b.begin)
  const texts: string[] = []
  let at = 0
  for (const { begin, end, text } of edits) {
    texts.push(source.slice(at, begin), text)
    at = end
  }
  return texts.join('') + source.slice(at)
}
