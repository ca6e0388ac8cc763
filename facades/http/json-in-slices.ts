import { setImmediate } from 'node:timers/promises'
import { isLong, mapInSlices, slicesOf } from '../../routers/api/slices.ts'

/** Converts items to strings and joins the strings. Yields to other requests while it converts a long list. */
export const joinInSlices = async <Item>(
  items: readonly Item[],
  toText: (item: Item) => string,
  separator = '',
): Promise<string> => (await mapInSlices(items, toText)).join(separator)

/**
 * `JSON.stringify` for the result of an operation. Yields to other requests while it writes a long `data` list, and
 * returns such a list as one buffer for each slice, because encoding the whole text at once would block those requests.
 */
export const jsonInSlices = async (result: unknown): Promise<string | Buffer[]> => {
  if (!hasLongList(result)) return JSON.stringify(result)
  const pieces: Buffer[] = []
  let before = '{'
  for (const [name, value] of Object.entries(result)) {
    before += `${JSON.stringify(name)}:`
    if (name === 'data') {
      let separator = `${before}[`
      for (const slice of slicesOf(result.data)) {
        // Yield before the first slice too, because the validation of the result has just kept the event loop busy.
        await setImmediate()
        pieces.push(Buffer.from(separator + slice.map(item => JSON.stringify(item)).join(',')))
        separator = ','
      }
      before = '],'
    } else before += `${JSON.stringify(value)},`
  }
  pieces.push(Buffer.from(`${before.slice(0, -1)}}`))
  return pieces
}

const hasLongList = (result: unknown): result is { data: unknown[] } =>
  typeof result === 'object' &&
  result !== null &&
  'data' in result &&
  Array.isArray(result.data) &&
  isLong(result.data)
