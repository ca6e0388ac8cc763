/** A number with its thousands set apart. */
export const number = (value: number): string => value.toLocaleString('en-US')

/** A bulleted list in Markdown. */
export const bullets = (items: string[]): string => items.map(item => `- ${item}`).join('\n')

/** `a`, `b` or `c`, each as code. */
export const anyOf = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(' or ')

/** `slug_taken` as `SlugTaken`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
