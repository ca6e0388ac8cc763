/** Returns the JSON Pointer of a path of keys and indexes. */
export const pointerOf = (path: readonly (string | number)[]): string =>
  path.map(segment => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
