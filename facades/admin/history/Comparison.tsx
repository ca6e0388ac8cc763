import { Skeleton, Table, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { shownText } from '../../../routers/core/shown-text.ts'
import type { Outputs } from '../api.ts'
import editorClasses from '../editor/CodeEditor.module.css'
import classes from '../editor/ConflictView.module.css'
import { formatBytes } from '../feedback/format-bytes.ts'
import type { Change } from './describe.ts'

const SideBySideMerge = lazy(() => import('../editor/SideBySideMerge.tsx'))

type State = Outputs['history']['get']['before']

/** The fields of a state other than its body, with their labels. */
const fieldsOf = (kind: Change['kind'], state: State): [string, string][] => {
  if (!state) return []
  const shown: [string, string | null][] = [
    [kind === 'page' ? 'Slug' : kind === 'record' ? 'Key' : 'Name', state.name && shownText(state.name)],
    ['Kind', state.kind],
    ['Description', state.description],
    ['Size', state.size === null ? null : formatBytes(state.size)],
  ]
  return shown.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

/** Returns a state's text. A record's value is formatted, because it is stored without line breaks. */
const textOf = (kind: Change['kind'], state: State) =>
  kind === 'record' && state?.text ? JSON.stringify(JSON.parse(state.text), null, 2) : (state?.text ?? '')

interface ComparisonProps {
  change: Change
  before: State
  after: State
}

/** The versions before and after a change, side by side. */
export const Comparison = ({ change: { kind, id }, before, after }: ComparisonProps) => {
  const [left, right] = [new Map(fieldsOf(kind, before)), new Map(fieldsOf(kind, after))]
  const labels = [...new Set([...left.keys(), ...right.keys()])]
  const hasText = (before?.text ?? after?.text ?? null) !== null
  const language = kind === 'record' ? ('json' as const) : ('liquid' as const)
  const absent = before === null ? 'It did not exist before.' : 'It does not exist after this change.'
  return (
    <>
      <Table withTableBorder layout="fixed" aria-label="Fields before and after">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="7rem">Field</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {labels.map(label => {
            const isChanged = before !== null && after !== null && left.get(label) !== right.get(label)
            return (
              <Table.Tr key={label}>
                <Table.Th fw={500}>{label}</Table.Th>
                {[left, right].map((side, index) => (
                  <Table.Td
                    key={index === 0 ? 'before' : 'after'}
                    fw={isChanged ? 650 : undefined}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {side.get(label) ?? '–'}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
      {(before === null || after === null) && <Text c="dimmed">{absent}</Text>}
      {hasText && (
        <div className={`${classes.texts} ${editorClasses.colors}`}>
          {/* The scroll area must be reachable with the keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the arrow keys */}
          <section className={classes.body} tabIndex={0} aria-label="Texts before and after">
            <div className={classes.heads}>
              <span>Before</span>
              <span>After</span>
            </div>
            <Suspense fallback={<Skeleton height="12rem" />}>
              <SideBySideMerge
                key={id}
                theirs={{ name: 'Before', text: textOf(kind, before), language }}
                mine={{ name: 'After', text: textOf(kind, after), language }}
                isReadOnly
                onChange={() => {}}
              />
            </Suspense>
          </section>
        </div>
      )}
    </>
  )
}
