import { Badge, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import { shownText } from '../../../routers/api/shown-text.ts'
import { type Outputs, rpc } from '../api.ts'
import { CopyButton, Snippet } from '../ui/CopyButton.tsx'
import { useSpace } from '../use-space.ts'
import css from './data.module.css'
import type { JsonText } from './use-json-text.ts'

interface ValueSidebarProps {
  /** Empty while a new record has no valid key. */
  recordKey: string
  json: JsonText
  /** The schema and warnings of the stored value. */
  stored?: Inspection
  onGoTo: (offset: number) => void
}

const Section = ({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) => (
  <section aria-label={title}>
    <Group justify="space-between" mb={6} mih={26}>
      <Title order={2} size="h5">
        {title}
      </Title>
      {action}
    </Group>
    {children}
  </section>
)

/** A value's warnings and schema, and the Liquid that shows it in a page. */
export const ValueSidebar = ({ recordKey, json, stored, onGoTo }: ValueSidebarProps) => {
  const inspection = useInspection(json) ?? stored
  const goTo = (pointer: string) => {
    const offset = json.check.offsets.get(pointer)
    if (offset !== undefined) onGoTo(offset)
  }
  return (
    <div className={css.aside}>
      {recordKey && json.compact !== null && (
        <Section title="Use in pages">
          <Snippet
            label="Liquid to paste"
            text={liquidSnippet(recordKey, JSON.parse(json.compact) as unknown)}
          />
        </Section>
      )}
      {inspection ? (
        <>
          <Section
            title={inspection.warnings.length > 0 ? `Warnings (${inspection.warnings.length})` : 'Warnings'}
          >
            <ShapeWarnings warnings={inspection.warnings} onGoTo={goTo} />
          </Section>
          <Section
            title="Schema"
            action={
              <CopyButton value={JSON.stringify(inspection.schema, null, 2)} what="schema as JSON Schema" />
            }
          >
            <SchemaTree schema={inspection.schema} />
          </Section>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          The schema and warnings appear here once the value is valid JSON.
        </Text>
      )}
    </div>
  )
}

interface ShapeWarningsProps {
  warnings: Inspection['warnings']
  /** Moves the editor to the element at a JSON Pointer. */
  onGoTo: (pointer: string) => void
}

/** The service reports at most this many warnings. */
const MAX_WARNINGS = 100

/** Lists the elements whose shape differs from most others in their list. The differences may be intended. */
export const ShapeWarnings = ({ warnings, onGoTo }: ShapeWarningsProps) => (
  <Stack gap="xs">
    {warnings.length === 0 ? (
      <Text size="sm" c="dimmed">
        All elements of each list have the same shape.
      </Text>
    ) : (
      <>
        <Text size="sm" c="dimmed">
          These elements differ from most others in their list. You can save them anyway.
        </Text>
        <ul className={css.warnings}>
          {warnings.map(({ path, kind, message }) => (
            <li key={path + kind + message}>
              <UnstyledButton className={css.warning} onClick={() => onGoTo(path)}>
                <Badge
                  variant="light"
                  color="yellow"
                  tt="none"
                  radius="sm"
                  leftSection={<IconAlertTriangle size={12} aria-hidden />}
                  className={css.badge}
                >
                  {shownText(path)}
                </Badge>
                <Text span size="sm">
                  {shownText(message)}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        {warnings.length >= MAX_WARNINGS && (
          <Text size="sm" c="dimmed">
            There may be more.
          </Text>
        )}
      </>
    )}
  </Stack>
)

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

/** A record key that can follow a dot in Liquid. */
const PLAIN_KEY = /^[a-z][a-z0-9]*$/
/** A member name that can follow a dot in Liquid. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/

const pathOf = (key: string) => (PLAIN_KEY.test(key) ? `data.${key}` : `data["${key}"]`)

const memberOf = (name: string) => (PLAIN_NAME.test(name) ? `.${name}` : `["${name}"]`)

/**
 * Returns the Liquid that accesses an object's first member, such as `.title`. Returns an empty string if the value has
 * no members, or if Liquid cannot express the member's name.
 */
const firstMember = (value: unknown): string => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const [name] = Object.keys(value)
  return name === undefined || name.includes('"') ? '' : memberOf(name)
}

/** Returns Liquid that shows a record in a page: a loop for a list, otherwise a single output. */
export const liquidSnippet = (key: string, value: unknown): string => {
  const path = pathOf(key)
  if (Array.isArray(value))
    return `{% for item in ${path} %}\n  {{ item${firstMember(value[0])} }}\n{% endfor %}`
  return `{{ ${path}${firstMember(value)} }}`
}

export type Inspection = Outputs['records']['inspect']

/** Milliseconds after the last change before the value is inspected. */
const DEBOUNCE = 400

/**
 * Returns the schema and shape warnings that the service derives from the text. While the text is invalid, returns the
 * previous ones.
 */
export const useInspection = ({ compact, size, error }: JsonText): Inspection | undefined => {
  const { subdomain } = useSpace()
  const [value] = useDebouncedValue(compact, DEBOUNCE)
  const isValid = value !== null && error === null && (size ?? 0) <= rules.data.value_max_bytes
  const { data } = useQuery({
    queryKey: ['inspection', subdomain, value],
    queryFn: () => rpc.records.inspect.mutate({ subdomain, value: JSON.parse(value!) as unknown }),
    enabled: isValid,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  })
  return data
}
