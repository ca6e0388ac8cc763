import { isDeepStrictEqual } from 'node:util'

/** Fields of an item that a caller can leave out. */
export type Sent<Item> = { readonly [Name in keyof Item]?: Item[Name] | undefined }

const given = (fields: object) => Object.entries(fields).filter(([, value]) => value !== undefined)

/** Whether an item already has all fields that were sent. */
export const hasFields = <Item extends object>(item: Item, sent: Sent<NoInfer<Item>>): boolean =>
  given(sent).every(([name, value]) => isDeepStrictEqual(item[name as keyof Item], value))

/** Returns an item with the fields that were sent instead of its own. */
export const withFields = <Item extends object>(item: Item, sent: Sent<NoInfer<Item>>): Item => ({
  ...item,
  ...Object.fromEntries(given(sent)),
})
