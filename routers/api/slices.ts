import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'

/** Number of items to convert before letting other requests run. Converting them takes a few milliseconds. */
const SLICE = 500

/** Converts a list slice by slice. Yields to other requests between the slices of a long list. */
const convertSlices = async <Item, Result>(
  items: readonly Item[],
  convert: (slice: readonly Item[]) => readonly Result[],
): Promise<Result[]> => {
  const results: Result[] = []
  for (const slice of slicesOf(items)) {
    if (results.length > 0) await setImmediate()
    results.push(...convert(slice))
  }
  return results
}

/** Yields the items in slices that take a few milliseconds to convert. */
export function* slicesOf<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += SLICE) yield items.slice(start, start + SLICE)
}

/** Like `items.map(convert)`, but yields to other requests during a long list. */
export const mapInSlices = <Item, Result>(
  items: readonly Item[],
  convert: (item: Item) => Result,
): Promise<Result[]> => convertSlices(items, slice => slice.map(convert))

/** Whether `mapInSlices` yields while it converts this list. */
export const isLong = (items: readonly unknown[]): boolean => items.length > SLICE

type ListSchema = z.ZodObject<{ data: z.ZodArray }>

/** The functions that validate in slices, by schema. */
const slicedParsers = new WeakMap<z.ZodType, (value: unknown) => Promise<unknown>>()

/** Returns the function that validates values of a schema in slices; undefined if the schema has no such function. */
export const slicedParserOf = (schema: z.ZodType): ((value: unknown) => Promise<unknown>) | undefined =>
  slicedParsers.get(schema)

/**
 * Makes an output schema validate a long `data` list in slices, and lets other requests run between them.
 *
 * @param schema changed in place and returned, so that the API documents still describe it
 */
export const validatedInSlices = <Schema extends ListSchema>(schema: Schema): Schema => {
  const { data } = schema.shape
  const others = schema.omit({ data: true })
  const parseAsync = async (value: z.input<ListSchema>) => {
    const fields = others.parse(value)
    // The last slice was converted in this turn of the event loop; let other requests run before validation begins.
    if (isLong(value.data)) await setImmediate()
    return { data: await convertSlices(value.data, slice => data.parse(slice)), ...fields }
  }
  slicedParsers.set(schema, value => parseAsync(value as z.input<ListSchema>))
  return Object.assign(schema, { parseAsync })
}
