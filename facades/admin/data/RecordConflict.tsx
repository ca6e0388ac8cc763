import { Alert, Button, Group, Input, Skeleton, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import classes from '../editor/CodeEditor.module.css'
import type { Diagnostic } from '../editor/code-editor-props.ts'
import { useLastAuthorTitle } from '../editor/last-author.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { useSpace } from '../use-space.ts'
import css from './data.module.css'
import { JsonProblems } from './JsonProblems.tsx'
import type { UnifiedMergeProps } from './UnifiedMergeView.tsx'
import { type DataRecord, textOf } from './use-record-draft.ts'

interface RecordConflictProps {
  /** The version that someone else saved. */
  theirs: DataRecord
  text: string
  onChange: (text: string) => void
  onSave: () => void
  isSaving: boolean
  onAcceptTheirs: () => void
  /** The description in the other person's version; null if it is the same as mine. */
  theirDescription: string | null
  onAcceptDescription: () => void
  /** The problems in my text. */
  diagnostics: Diagnostic[]
}

/**
 * Replaces the value editor when someone else has saved a newer version. Shows both values in one text, so that they
 * can be merged.
 */
export const RecordConflict = (props: RecordConflictProps) => {
  const { theirs, onAcceptTheirs, theirDescription } = props
  const { subdomain } = useSpace()
  const title = useLastAuthorTitle('record', { subdomain, kind: 'record', thing: theirs.key })
  // The merge editor gets my text once per version. After that, it owns the text.
  const [{ version, mine }, setMine] = useState({ version: theirs.version, mine: props.text })
  if (version !== theirs.version) setMine({ version: theirs.version, mine: props.text })
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => region.current?.focus(), [])
  return (
    <Stack gap="sm" ref={region} tabIndex={-1} className={css.conflict}>
      <Alert
        color="yellow"
        icon={<IconUsers aria-hidden />}
        title={`${title}: version ${theirs.version}`}
        role="alert"
      >
        It was saved <RelativeTime at={theirs.updated_at} />. Nothing is overwritten until you choose. You can
        go through the differences below and then save your text. Or you can use the other version.
      </Alert>
      <div className={css.editor}>
        <UnifiedMerge
          key={theirs.version}
          mine={mine}
          theirs={textOf(theirs.value)}
          onChange={props.onChange}
          label={`Your value compared with version ${theirs.version}`}
        />
      </div>
      <JsonProblems diagnostics={props.diagnostics} />
      {theirDescription !== null && (
        <Group gap="sm">
          <Text size="sm" style={{ flex: '1 1 12rem' }}>
            Their description: {theirDescription ? `“${theirDescription}”` : 'none'}
          </Text>
          <Button variant="default" size="compact-sm" onClick={props.onAcceptDescription}>
            Use their description
          </Button>
        </Group>
      )}
      <Group>
        <Button onClick={props.onSave} loading={props.isSaving}>
          Save as version {theirs.version + 1}
        </Button>
        <Button variant="default" onClick={onAcceptTheirs}>
          Use their version
        </Button>
      </Group>
    </Stack>
  )
}

const UnifiedMergeView = lazy(() => import('./UnifiedMergeView.tsx'))

/**
 * Shows my text, with its differences from their text inline. Each difference has buttons to use theirs or
 * keep mine. Starts over when `theirs` changes. Fills the height of its container.
 */
export const UnifiedMerge = (props: UnifiedMergeProps) => {
  const id = useId()
  return (
    <div className={classes.field}>
      <Input.Label component="div" mb={4}>
        {props.label}
      </Input.Label>
      <div className={`${classes.editor} ${classes.colors}`}>
        <Suspense fallback={<Skeleton height="100%" radius="md" aria-hidden />}>
          <UnifiedMergeView key={props.theirs} {...props} describedBy={id} />
        </Suspense>
      </div>
      <Text id={id} size="xs" c="dimmed" mt={4}>
        Struck-out text is in the stored version only. Your text is below it and can be edited. To leave the
        editor, press Escape, then Tab.
      </Text>
    </div>
  )
}
