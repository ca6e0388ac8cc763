/** Returns a name that no file has: the given name or, if it is taken, one such as `photo-2.png` for `photo.png`. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
  let number = 2
  while (taken.has(`${stem}-${number}${extension}`)) number += 1
  return `${stem}-${number}${extension}`
}
