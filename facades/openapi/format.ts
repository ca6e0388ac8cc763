/** Formats a number with thousands separators. */
export const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** Formats a bulleted list in Markdown. */
export const bullets = (items: string[]): string => items.map(item => `- ${item}`).join('\n')

/** Joins names with "or", each marked as code. */
export const anyOf = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(' or ')

/** Turns `slug_taken` into `SlugTaken`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())
