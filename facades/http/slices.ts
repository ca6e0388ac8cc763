import { setImmediate } from 'node:timers/promises'

/** Number of items to convert before other requests get a turn. Converting them takes a few milliseconds. */
const SLICE = 500

/** Converts items to text and joins it. Yields to other requests after each slice of a long list. */
export const joinInSlices = async <Item>(
  items: readonly Item[],
  toText: (item: Item) => string,
  separator = '',
): Promise<string> => {
  const slices: string[] = []
  for (let start = 0; start < items.length; start += SLICE) {
    if (start > 0) await setImmediate()
    slices.push(
      items
        .slice(start, start + SLICE)
        .map(toText)
        .join(separator),
    )
  }
  return slices.join(separator)
}

/** `JSON.stringify` for the result of an operation. Yields to other requests while it writes a long `data` list. */
export const jsonInSlices = async (result: unknown): Promise<string> => {
  if (!hasLongList(result)) return JSON.stringify(result)
  // Yield first: validating the list has just taken as long as writing it will.
  await setImmediate()
  const fields: string[] = []
  for (const [name, value] of Object.entries(result))
    fields.push(
      `${JSON.stringify(name)}:${name === 'data' ? `[${await joinInSlices(result.data, item => JSON.stringify(item), ',')}]` : JSON.stringify(value)}`,
    )
  return `{${fields.join(',')}}`
}

const hasLongList = (result: unknown): result is { data: unknown[] } =>
  typeof result === 'object' &&
  result !== null &&
  'data' in result &&
  Array.isArray(result.data) &&
  result.data.length > SLICE
