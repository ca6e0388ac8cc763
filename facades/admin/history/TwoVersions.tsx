import { Skeleton, Table } from '@mantine/core'
import { lazy, Suspense } from 'react'
import editorClasses from '../editor/CodeEditor.module.css'
import classes from '../editor/ConflictView.module.css'
import type { CodeLanguage } from '../editor/code-editor-props.ts'

const SideBySideMerge = lazy(() => import('../editor/SideBySideMerge.tsx'))

/** One version of an item. */
export interface ShownVersion {
  /** What the person calls it: "Before", "Current". */
  name: string
  /** The fields other than the text, with their labels. */
  fields: readonly (readonly [label: string, value: string])[]
  /** Null if the item has no text, or does not exist in this version. */
  text: string | null
  language: CodeLanguage | undefined
}

interface TwoVersionsProps {
  left: ShownVersion
  right: ShownVersion
  /** Whether fields with different values stand out; false if one of the versions does not exist. */
  marksChanges: boolean
}

/** Two versions of an item side by side: a table of their fields, and their texts. Give it a `key` for each pair. */
export const TwoVersions = ({ left, right, marksChanges }: TwoVersionsProps) => {
  const sides = [left, right].map(side => ({ name: side.name, values: new Map(side.fields) }))
  const labels = [...new Set(sides.flatMap(({ values }) => [...values.keys()]))]
  const names = `${left.name} and ${right.name.toLowerCase()}`
  return (
    <>
      <Table withTableBorder layout="fixed" aria-label={`Fields: ${names}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="7rem">Field</Table.Th>
            {sides.map(({ name }) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {labels.map(label => {
            const isChanged = marksChanges && sides[0]!.values.get(label) !== sides[1]!.values.get(label)
            return (
              <Table.Tr key={label}>
                <Table.Th fw={500}>{label}</Table.Th>
                {sides.map(({ name, values }) => (
                  <Table.Td key={name} fw={isChanged ? 650 : undefined} style={{ overflowWrap: 'anywhere' }}>
                    {values.get(label) ?? '–'}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
      {(left.text ?? right.text) !== null && (
        <div className={`${classes.texts} ${editorClasses.colors}`}>
          {/* The scroll area must be reachable with the keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the arrow keys */}
          <section className={classes.body} tabIndex={0} aria-label={`Texts: ${names}`}>
            <div className={classes.heads}>
              <span>{left.name}</span>
              <span>{right.name}</span>
            </div>
            <Suspense fallback={<Skeleton height="12rem" />}>
              <SideBySideMerge
                theirs={{ ...left, text: left.text ?? '' }}
                mine={{ ...right, text: right.text ?? '' }}
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
