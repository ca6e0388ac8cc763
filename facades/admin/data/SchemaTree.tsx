import { Text } from '@mantine/core'
import css from './data.module.css'

/** A derived schema, as the service describes it. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** What types are called, of one value and of several. */
const WORDS: Record<string, [string, string]> = {
  string: ['text', 'texts'],
  number: ['number', 'numbers'],
  boolean: ['true or false', 'true or false'],
  null: ['null', 'null'],
  object: ['object', 'objects'],
  array: ['list', 'lists'],
}

/** Members of one object that are shown. */
const MAX_MEMBERS = 50

/** The alternatives that stand at one place; most often one. */
const alternatives = (schema: Schema): Schema[] => schema.anyOf ?? [schema]

const describe = (schema: Schema, number: 0 | 1 = 0): string =>
  alternatives(schema)
    .map(({ type = '', items }) => {
      const word = WORDS[type]?.[number] ?? type
      if (type !== 'array') return word
      return items ? `${word} of ${describe(items, 1)}` : `empty ${word}`
    })
    .join(' or ')

/** The members below a place, through lists. */
const membersOf = (schema: Schema): [string, Schema][] =>
  alternatives(schema).flatMap(({ properties, items }) => [
    ...Object.entries(properties ?? {}),
    ...(items ? membersOf(items) : []),
  ])

const Members = ({ of }: { of: Schema }) => {
  const members = membersOf(of)
  if (members.length === 0) return null
  return (
    <ul className={css.members}>
      {members.slice(0, MAX_MEMBERS).map(([name, schema], place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two alternatives may have members of one name
        <li key={`${name}${place}`}>
          <span className={css.member}>{name}</span>{' '}
          <Text span size="sm" c="dimmed">
            {describe(schema)}
          </Text>
          <Members of={schema} />
        </li>
      ))}
      {members.length > MAX_MEMBERS && (
        <li>
          <Text span size="sm" c="dimmed">
            and {members.length - MAX_MEMBERS} more
          </Text>
        </li>
      )}
    </ul>
  )
}

/** What a value looks like, member by member. */
export const SchemaTree = ({ schema }: { schema: unknown }) => {
  // The service describes every schema in this form; the contract leaves it open.
  const derived = schema as Schema
  return (
    <div className={css.schema}>
      <Text size="sm">{describe(derived)}</Text>
      <Members of={derived} />
    </div>
  )
}
