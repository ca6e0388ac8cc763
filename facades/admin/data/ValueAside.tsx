import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { Snippet } from '../feedback/Snippet.tsx'
import css from './data.module.css'
import { SchemaTree } from './SchemaTree.tsx'
import { templateLines } from './template-lines.ts'
import { type Inspection, useInspection } from './use-inspection.ts'
import type { JsonText } from './use-json-text.ts'
import { Warnings } from './Warnings.tsx'

interface ValueAsideProps {
  /** The record's key; empty while it has none yet. */
  recordKey: string
  json: JsonText
  /** What is known of the value as it is stored. */
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

/** Beside a value: what in it is unlike the rest, what it looks like, and how pages show it. */
export const ValueAside = ({ recordKey, json, stored, onGoTo }: ValueAsideProps) => {
  const seen = useInspection(json) ?? stored
  const goTo = (pointer: string) => {
    const offset = json.scan.places.get(pointer)
    if (offset !== undefined) onGoTo(offset)
  }
  return (
    <div className={css.aside}>
      {recordKey && json.compact !== null && (
        <Section title="In pages">
          <Snippet
            label="Line to paste"
            text={templateLines(recordKey, JSON.parse(json.compact) as unknown)}
          />
        </Section>
      )}
      {seen ? (
        <>
          <Section title={seen.warnings.length > 0 ? `Warnings (${seen.warnings.length})` : 'Warnings'}>
            <Warnings warnings={seen.warnings} onGoTo={goTo} />
          </Section>
          <Section
            title="Schema"
            action={<CopyButton value={JSON.stringify(seen.schema, null, 2)} what="schema as JSON Schema" />}
          >
            <SchemaTree schema={seen.schema} />
          </Section>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          Schema and warnings stand here as soon as there is a value.
        </Text>
      )}
    </div>
  )
}
