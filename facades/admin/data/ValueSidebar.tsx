import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { Snippet } from '../feedback/Snippet.tsx'
import css from './data.module.css'
import { liquidSnippet } from './liquid-snippet.ts'
import { SchemaTree } from './SchemaTree.tsx'
import { ShapeWarnings } from './ShapeWarnings.tsx'
import { type Inspection, useInspection } from './use-inspection.ts'
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
