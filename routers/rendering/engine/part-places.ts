/** Where a body writes the name of a part. */
export interface LiteralUse {
  name: string
  /** Where the name is, without its quotes; null if the name is not found in the tag. */
  place: { begin: number; end: number } | null
  /**
   * Where to insert `as NAME` when the part is renamed: after each value that the tag passes without `as`. Such a value
   * becomes a variable with the name of the part. With `as NAME`, the variable keeps the old name.
   */
  bindings: number[]
}

/** The start of a tag up to the end of its first argument, if that is a quoted string. */
const FIRST_TEXT = /(?:\{%-?)?\s*\w+\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")/sy

const AS = /\s*as(?![\w?-])/y

/** Returns the place of the part's name in the tag that begins at `begin`. The tag can be inside `{% liquid %}`. */
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
 * Writes the new name of a part into all tags that include the part. If such a tag passes a value without `as`, the
 * part reads the value as a variable with the name of the part. To keep the old name of the variable, the function adds
 * `as OLD_NAME` after the value.
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
