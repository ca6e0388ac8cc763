import { Skeleton, Table, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import editorClasses from '../editor/CodeEditor.module.css'
import classes from '../editor/ConflictView.module.css'
import type { CodeLanguage } from '../editor/code-editor-props.ts'

const SideBySideMerge = lazy(() => import('../editor/SideBySideMerge.tsx'))
const InlineComparison = lazy(() => import('../editor/InlineComparison.tsx'))

/** Up to this window width, lines would be too short for two texts side by side. */
const NARROW = '(max-width: 48em)'

/** One version of an item. */
export interface ShownVersion {
  /** The version's heading, such as "Before" or "Current". */
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
  /** Whether differences are highlighted; false if one of the versions does not exist. */
  marksChanges: boolean
}

/**
 * Two versions of an item: a table of their fields, and their texts side by side, or inline in narrow windows. Needs a
 * different `key` for each pair of versions.
 */
export const TwoVersions = ({ left, right, marksChanges }: TwoVersionsProps) => {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const sides = [left, right].map(side => ({ name: side.name, values: new Map(side.fields) }))
  const labels = [...new Set(sides.flatMap(({ values }) => [...values.keys()]))]
  const names = `${left.name} and ${right.name}`
  const texts = { theirs: { ...left, text: left.text ?? '' }, mine: { ...right, text: right.text ?? '' } }
  return (
    <>
      <Table withTableBorder layout="fixed" aria-label={`Fields: ${names}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={isNarrow ? '6.25rem' : '7rem'}>Field</Table.Th>
            <Table.Th>{left.name}</Table.Th>
            <Table.Th>{right.name}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {labels.map(label => {
            const isChanged = marksChanges && sides[0]!.values.get(label) !== sides[1]!.values.get(label)
            return (
              <Table.Tr key={label}>
                <Table.Th fw={500} style={{ overflowWrap: 'anywhere' }}>
                  {label}
                  {isChanged && <VisuallyHidden> (different)</VisuallyHidden>}
                </Table.Th>
                {sides.map(({ values }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: always the left and the right version
                  <Table.Td key={index} style={{ overflowWrap: 'anywhere' }}>
                    {isChanged && values.has(label) ? (
                      <mark className={classes.changed}>{values.get(label)}</mark>
                    ) : (
                      (values.get(label) ?? '–')
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
      {marksChanges && left.text !== null && left.text === right.text && (
        <Text c="dimmed">The text is the same.</Text>
      )}
      {(left.text ?? right.text) !== null && (
        <div className={`${classes.texts} ${editorClasses.colors}`}>
          {/* The scroll area must be reachable with the keyboard. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the arrow keys */}
          <section className={classes.body} tabIndex={0} aria-label={`Texts: ${names}`}>
            <Suspense fallback={<Skeleton height="12rem" />}>
              {isNarrow ? (
                <InlineComparison older={texts.theirs} newer={texts.mine} label={`Text: ${names}`} />
              ) : (
                <>
                  <div className={classes.heads}>
                    <span>{left.name}</span>
                    <span>{right.name}</span>
                  </div>
                  <SideBySideMerge {...texts} isReadOnly onChange={() => {}} />
                </>
              )}
            </Suspense>
          </section>
        </div>
      )}
    </>
  )
}
