import type { Vocabulary } from './vocabulary.ts'

type Schema = Vocabulary['data'][number]['schema']

/** What is known of a value: a derived schema, as records have, or a union of some. */
export type Shape = Schema

const text: Shape = { type: 'string' }
const number: Shape = { type: 'number' }
const object = (properties: Record<string, Shape>): Shape => ({ type: 'object', properties })
const list = (items: Shape): Shape => ({ type: 'array', items })

/** What each page sees (contract: "Template evaluation", variables). */
export const variablesOf = ({ data }: Vocabulary): Record<string, Shape> => ({
  space: object({ name: text, subdomain: text, url: text }),
  page: object({ slug: text, url: text }),
  pages: list(object({ slug: text, url: text })),
  files: list(object({ name: text, contentType: text, size: number, url: text })),
  data: object(Object.fromEntries(data.map(({ key, schema }) => [key, schema]))),
})

/** What a loop knows of itself. */
export const forloop = object({
  first: { type: 'boolean' },
  index: number,
  index0: number,
  last: { type: 'boolean' },
  length: number,
  rindex: number,
  rindex0: number,
})

const alternatives = (shape: Shape): Shape[] => ('anyOf' in shape ? shape.anyOf : [shape])

/** Members that every list, and every text, has besides its own. */
const LIST = ['first', 'last', 'size']

/** The members of a value with what is known of each. */
export const membersOf = (shape: Shape): Map<string, Shape | undefined> => {
  const members = new Map<string, Shape | undefined>()
  for (const each of alternatives(shape)) {
    if ('anyOf' in each) continue
    for (const [name, member] of Object.entries(each.properties ?? {})) members.set(name, member)
    if (each.type === 'array')
      for (const name of LIST) members.set(name, name === 'size' ? number : each.items)
    if (each.type === 'string') members.set('size', number)
  }
  return members
}

/** What the elements of a list are; undefined when that is not known. */
export const elementOf = (shape: Shape): Shape | undefined =>
  alternatives(shape)
    .map(each => ('items' in each ? each.items : undefined))
    .find(items => items !== undefined)

/** A shape in a word, for the list of proposals. */
export const inAWord = (shape: Shape | undefined): string => {
  if (!shape) return ''
  const words: Record<string, string> = { array: 'list', string: 'text' }
  return alternatives(shape)
    .map(each => ('type' in each ? (words[each.type] ?? each.type) : ''))
    .filter(word => word !== 'null')
    .join(' or ')
}
