/** What three versions of the same thing come to. */
export interface Merged<Fields> {
  fields: Fields
  /** What both have changed, and not to the same; in `fields` it is mine. */
  disputed: (keyof Fields & string)[]
}

/**
 * Puts two changes of the same thing together, field by field: what only one side changed is as that side has it.
 *
 * @param base what both began with
 */
export const mergeFields = <Fields extends Record<string, string>>(
  base: Fields,
  mine: Fields,
  theirs: Fields,
): Merged<Fields> => {
  const fields = { ...mine }
  const disputed: (keyof Fields & string)[] = []
  for (const name of Object.keys(mine) as (keyof Fields & string)[]) {
    if (mine[name] === base[name]) fields[name] = theirs[name]
    else if (theirs[name] !== base[name] && theirs[name] !== mine[name]) disputed.push(name)
  }
  return { fields, disputed }
}
