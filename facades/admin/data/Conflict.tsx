import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Diagnostic } from '../editor/CodeEditor.tsx'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import css from './data.module.css'
import { Findings } from './Findings.tsx'
import { MergeEditor } from './MergeEditor.tsx'
import { type DataRecord, textOf } from './use-record-draft.ts'

interface ConflictProps {
  /** What is stored now. */
  theirs: DataRecord
  text: string
  onChange: (text: string) => void
  onSave: () => void
  isSaving: boolean
  onTakeTheirs: () => void
  /** Their description, where it is another than mine. */
  theirDescription: string | null
  onTakeDescription: () => void
  /** What is to be said of my text. */
  diagnostics: Diagnostic[]
}

/** In place of the editor when somebody else has saved meanwhile: both texts in one, to be made into one. */
export const Conflict = (props: ConflictProps) => {
  const { theirs, onTakeTheirs, theirDescription } = props
  // The texts are put beside each other once; from then on the editor has mine.
  const [{ version, mine }, setMine] = useState({ version: theirs.version, mine: props.text })
  if (version !== theirs.version) setMine({ version: theirs.version, mine: props.text })
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => region.current?.focus(), [])
  return (
    <Stack gap="sm" ref={region} tabIndex={-1} className={css.conflict}>
      <Alert
        color="yellow"
        icon={<IconUsers aria-hidden />}
        title={`Somebody else saved version ${theirs.version}`}
        role="alert"
      >
        It was saved <RelativeTime at={theirs.updated_at} />. Nothing was overwritten, and your text is here.
        Go through the places where the two differ, then save; or take theirs whole.
      </Alert>
      <div className={css.editor}>
        <MergeEditor
          key={theirs.version}
          mine={mine}
          theirs={textOf(theirs.value)}
          onChange={props.onChange}
          label={`Your value beside version ${theirs.version}`}
        />
      </div>
      <Findings diagnostics={props.diagnostics} />
      {theirDescription !== null && (
        <Group gap="sm">
          <Text size="sm" style={{ flex: '1 1 12rem' }}>
            Their description: {theirDescription ? `“${theirDescription}”` : 'none'}
          </Text>
          <Button variant="default" size="compact-sm" onClick={props.onTakeDescription}>
            Take their description
          </Button>
        </Group>
      )}
      <Group>
        <Button onClick={props.onSave} loading={props.isSaving}>
          Save mine as version {theirs.version + 1}
        </Button>
        <Button variant="default" onClick={onTakeTheirs}>
          Take theirs whole
        </Button>
      </Group>
    </Stack>
  )
}
