import { Text } from '@mantine/core'
import { shownText } from '../../../routers/api/shown-text.ts'
import css from './data.module.css'

/** A derived schema, as the service returns it. */
interface Schema {
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** The singular and plural name of each type. */
const TYPE_NAMES: Record<string, [string, string]> = {
  string: ['text', 'texts'],
  number: ['number', 'numbers'],
  boolean: ['true or false', 'true or false'],
  null: ['null', 'null'],
  object: ['object', 'objects'],
  array: ['list', 'lists'],
}

/** Number of members shown per object. */
const MAX_MEMBERS = 50

/** The alternatives of a union; most schemas have only one. */
const alternatives = (schema: Schema): Schema[] => schema.anyOf ?? [schema]

const describe = (schema: Schema, plural: 0 | 1 = 0): string =>
  alternatives(schema)
    .map(({ type = '', items }) => {
      const word = TYPE_NAMES[type]?.[plural] ?? type
      if (type !== 'array') return word
      return items ? `${word} of ${describe(items, 1)}` : `empty ${word}`
    })
    .join(' or ')

/** The members of an object, or of the objects in a list. */
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
      {members.slice(0, MAX_MEMBERS).map(([name, schema], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two alternatives can have members with the same name
        <li key={`${name}${index}`}>
          <span className={css.member}>{shownText(name)}</span>{' '}
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

/** A value's type, with the type of every member. */
export const SchemaTree = ({ schema }: { schema: unknown }) => {
  // The contract leaves the type open, but the service derives every schema in this form.
  const derived = schema as Schema
  return (
    <div className={css.schema}>
      <Text size="sm">{describe(derived)}</Text>
      <Members of={derived} />
    </div>
  )
}
