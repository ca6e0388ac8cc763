import { portableName } from './archive-format.ts'

/**
 * Returns names for the files of one folder. All operating systems allow the returned names. No two names are equal,
 * even if letter case is ignored: the second `photo.png` becomes `photo-2.png`.
 */
export const distinctNames = (names: readonly string[]): string[] => {
  const portable = names.map(portableName)
  // A name that gets a number must not equal the name of another file.
  const taken = new Set(portable.map(folded))
  const used = new Set<string>()
  /** The last number tried for each name. Starting again would take quadratic time for many equal names. */
  const numbers = new Map<string, number>()
  return portable.map(name => {
    const key = folded(name)
    if (!used.has(key)) {
      used.add(key)
      return name
    }
    const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
    let number = numbers.get(key) ?? 1
    let distinct: string
    do {
      number += 1
      distinct = `${stem}-${number}${extension}`
    } while (taken.has(folded(distinct)))
    numbers.set(key, number)
    taken.add(folded(distinct))
    return distinct
  })
}

const folded = (name: string) => name.normalize('NFC').toLowerCase()
