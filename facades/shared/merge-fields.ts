/** The result of a three-way merge. */
export interface Merged<Fields> {
  fields: Fields
  /** Fields that both sides changed differently. For these, `fields` holds my value. */
  conflicts: (keyof Fields & string)[]
}

/**
 * Merges two changes field by field: a field that only one side changed gets that side's value.
 *
 * @param base the version both sides started from
 */
export const mergeFields = <Fields extends Record<string, string>>(
  base: Fields,
  mine: Fields,
  theirs: Fields,
): Merged<Fields> => {
  const fields = { ...mine }
  const conflicts: (keyof Fields & string)[] = []
  for (const name of Object.keys(mine) as (keyof Fields & string)[]) {
    if (mine[name] === base[name]) fields[name] = theirs[name]
    else if (theirs[name] !== base[name] && theirs[name] !== mine[name]) conflicts.push(name)
  }
  return { fields, conflicts }
}
