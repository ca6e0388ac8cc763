import { Text } from '@mantine/core'
import { shownText } from '../../../routers/core/shown-text.ts'
import type { Outputs } from '../api.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import type { Change } from './describe.ts'
import { type ShownVersion, TwoVersions } from './TwoVersions.tsx'

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
const textOf = (kind: Change['kind'], state: State): string | null =>
  kind === 'record' && state?.text ? JSON.stringify(JSON.parse(state.text), null, 2) : (state?.text ?? null)

interface ComparisonProps {
  change: Change
  before: State
  after: State
}

/** The versions before and after a change, side by side. */
export const Comparison = ({ change: { kind, id }, before, after }: ComparisonProps) => {
  const version = (name: string, state: State): ShownVersion => ({
    name,
    fields: fieldsOf(kind, state),
    text: textOf(kind, state),
    language: kind === 'record' ? 'json' : 'liquid',
  })
  const isEitherAbsent = before === null || after === null
  return (
    <>
      <TwoVersions
        key={id}
        left={version('Before', before)}
        right={version('After', after)}
        marksChanges={!isEitherAbsent}
      />
      {isEitherAbsent && (
        <Text c="dimmed">
          {before === null ? 'It did not exist before.' : 'It does not exist after this change.'}
        </Text>
      )}
    </>
  )
}
