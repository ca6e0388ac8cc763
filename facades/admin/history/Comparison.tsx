import { Text } from '@mantine/core'
import { shownText } from '../../../routers/api/shown-text.ts'
import type { CodeLanguage } from '../editor/code-editor-props.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import { isImage, kindOf } from '../files/file-kind.tsx'
import type { Change, State } from './describe.ts'
import { Pictures } from './Pictures.tsx'
import { type ShownVersion, TwoVersions } from './TwoVersions.tsx'

/** All fields of a state except its body, with their labels. */
const fieldsOf = (kind: Change['kind'], state: State): [string, string][] => {
  if (!state) return []
  const shown: [string, string | null][] = [
    [kind === 'page' ? 'Slug' : kind === 'record' ? 'Key' : 'Name', state.name && shownText(state.name)],
    ['Kind', state.kind],
    ['Description', state.description],
    ['Type', state.content_type && kindOf(state.content_type).label],
    ['Size', state.size === null ? null : formatBytes(state.size)],
  ]
  return shown.flatMap(([label, value]) => (value === null ? [] : [[label, value] as [string, string]]))
}

const languageOf = (kind: Change['kind'], state: State): CodeLanguage | undefined => {
  if (kind !== 'file') return kind === 'record' ? 'json' : 'liquid'
  return LANGUAGES.find(([type]) => type.test(state?.content_type ?? ''))?.[1]
}

/** The languages in which files are highlighted, by content type. */
const LANGUAGES: [type: RegExp, language: CodeLanguage][] = [
  [/json$/, 'json'],
  [/(?:html|xml)$/, 'html'],
  [/markdown$/, 'markdown'],
]

/** Returns a state's text. A record's value is formatted, because it is stored without line breaks. */
const textOf = (kind: Change['kind'], state: State): string | null =>
  kind === 'record' && state?.text ? JSON.stringify(JSON.parse(state.text), null, 2) : (state?.text ?? null)

interface ComparedState {
  /** The state's heading, such as "Before" or "Now". */
  name: string
  state: State
}

interface ComparisonProps {
  kind: Change['kind']
  left: ComparedState
  right: ComparedState
}

/** Two states of an item side by side: fields, texts and pictures. */
export const Comparison = ({ kind, left, right }: ComparisonProps) => {
  // Text cannot be compared with a file that has no text.
  const hasTexts = [left, right].every(({ state }) => state === null || state.text !== null)
  const version = ({ name, state }: ComparedState): ShownVersion => ({
    name,
    fields: fieldsOf(kind, state),
    text: hasTexts ? textOf(kind, state) : null,
    language: languageOf(kind, state),
  })
  const sides = [left, right] as const
  const isEitherAbsent = left.state === null || right.state === null
  const hasPicture = sides.some(({ state }) => state?.content_type && isImage(state.content_type))
  const hasBytes = (kind === 'file' && !hasTexts) || hasPicture
  return (
    <>
      <TwoVersions
        key={sides.map(({ state }) => state?.digest).join()}
        left={version(left)}
        right={version(right)}
        marksChanges={!isEitherAbsent}
      />
      {hasPicture && <Pictures sides={sides} />}
      {hasBytes && !isEitherAbsent && (
        <Text c="dimmed">
          {left.state?.digest === right.state?.digest
            ? 'The content is the same.'
            : 'The content is different.'}
        </Text>
      )}
    </>
  )
}
