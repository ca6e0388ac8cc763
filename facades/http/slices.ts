import { setImmediate } from 'node:timers/promises'
import { isLong, mapInSlices } from '../../routers/core/slices.ts'

/** Converts items to text and joins the texts. Yields to other requests while it converts a long list. */
export const joinInSlices = async <Item>(
  items: readonly Item[],
  toText: (item: Item) => string,
  separator = '',
): Promise<string> => (await mapInSlices(items, toText)).join(separator)

/** `JSON.stringify` for the result of an operation. Yields to other requests while it writes a long `data` list. */
export const jsonInSlices = async (result: unknown): Promise<string> => {
  if (!hasLongList(result)) return JSON.stringify(result)
  // Yield first, because the validation of the result has just kept the event loop busy.
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
  isLong(result.data)
