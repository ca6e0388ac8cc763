import type { Vocabulary } from './code-editor-props.ts'

/** A schema that the service derives from a record, or a union of several schemas. */
export type Schema = Vocabulary['data'][number]['schema']

const text: Schema = { type: 'string' }
const number: Schema = { type: 'number' }
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties })
const list = (items: Schema): Schema => ({ type: 'array', items })

/** Returns the variables that every page has. */
export const variablesOf = ({ data }: Vocabulary): Record<string, Schema> => ({
  space: object({ name: text, subdomain: text, url: text }),
  page: object({ slug: text, url: text }),
  pages: list(object({ slug: text, url: text })),
  files: list(object({ name: text, contentType: text, size: number, url: text })),
  data: object(Object.fromEntries(data.map(({ key, schema }) => [key, schema]))),
})

/** The `forloop` variable inside a loop. */
export const forloop = object({
  first: { type: 'boolean' },
  index: number,
  index0: number,
  last: { type: 'boolean' },
  length: number,
  rindex: number,
  rindex0: number,
})

const alternatives = (schema: Schema): Schema[] => ('anyOf' in schema ? schema.anyOf : [schema])

/** Members that Liquid gives every list. */
const LIST_MEMBERS = ['first', 'last', 'size']

/** The members of a value, each with its schema if known. */
export const membersOf = (schema: Schema): Map<string, Schema | undefined> => {
  const members = new Map<string, Schema | undefined>()
  for (const each of alternatives(schema)) {
    if ('anyOf' in each) continue
    for (const [name, member] of Object.entries(each.properties ?? {})) members.set(name, member)
    if (each.type === 'array')
      for (const name of LIST_MEMBERS) members.set(name, name === 'size' ? number : each.items)
    if (each.type === 'string') members.set('size', number)
  }
  return members
}

/** The schema of a list's elements, or undefined if unknown. */
export const itemsOf = (schema: Schema): Schema | undefined =>
  alternatives(schema)
    .map(each => ('items' in each ? each.items : undefined))
    .find(items => items !== undefined)

/** A short type name for the list of suggestions, such as "list" or "text or number". */
export const typeName = (schema: Schema | undefined): string => {
  if (!schema) return ''
  const names: Record<string, string> = { array: 'list', string: 'text' }
  return alternatives(schema)
    .map(each => ('type' in each ? (names[each.type] ?? each.type) : ''))
    .filter(name => name !== 'null')
    .join(' or ')
}
