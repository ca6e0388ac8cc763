import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api } from '../api.ts'
import type { CodeLanguage } from '../editor/code-editor-props.ts'
import { isImage, kindOf } from '../files/file-kind.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { formatBytes } from '../ui/numbers.ts'
import { useSpace } from '../use-space.ts'
import type { Change, State } from './describe.ts'
import classes from './Pictures.module.css'
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

/** The pictures of two states, side by side or one below the other. */
export const Pictures = ({ sides }: { sides: readonly { name: string; state: State }[] }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }}>
    {sides.map(({ name, state }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: always the left and the right side
      <figure key={index} className={classes.figure}>
        <figcaption className={classes.caption}>{name}</figcaption>
        {state && <Picture name={name} state={state} />}
      </figure>
    ))}
  </SimpleGrid>
)

const Picture = ({ name, state: { digest, content_type } }: { name: string; state: NonNullable<State> }) => {
  const { subdomain } = useSpace()
  const type = content_type !== null && isImage(content_type) ? content_type : null
  // Bytes with this digest never change.
  const picture = useQuery({
    ...api.history.picture.queryOptions(type && digest ? { subdomain, digest } : skipToken),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (type === null) return <Text c="dimmed">This version is not a picture.</Text>
  if (picture.isError) return <FormFailure error={picture.error} />
  if (picture.isPending) return <Skeleton height="12rem" />
  const { base64 } = picture.data
  if (base64 === null) return <Text c="dimmed">This picture is too large to show here.</Text>
  return <img className={classes.picture} src={`data:${type};base64,${base64}`} alt={`Picture: ${name}`} />
}
