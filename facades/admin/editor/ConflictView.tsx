import { Alert, Button, Group, Radio, Skeleton, Stack } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import editorClasses from './CodeEditor.module.css'
import classes from './ConflictView.module.css'
import type { Side } from './comparison-extensions.ts'

const SideBySideMerge = lazy(() => import('./SideBySideMerge.tsx'))

/** A field, other than the text, that both versions changed. */
export interface FieldConflict {
  name: string
  label: string
  /** The value in the version that someone else saved, as text to show. */
  theirs: string
  mine: string
}

interface ConflictViewProps {
  title: string
  theirs: Side
  /** My version. It is saved unchanged unless the person edits it in this view. */
  mine: Side
  /** Whether changes can be copied from one text to the other. If not, both are read-only. */
  isMergeable?: boolean
  fieldConflicts: readonly FieldConflict[]
  /** Says who saved and when, and anything else that helps to decide. */
  children: ReactNode
  isSaving: boolean
  /** Called to go back to the editor without deciding. */
  onPostpone: () => void
  onAcceptTheirs: () => void
  /** Called with the merged text, and the names of the fields whose values are taken from `theirs`. */
  onSave: (text: string, fromTheirs: ReadonlySet<string>) => void
}

const HOW_TO_MERGE = 'Use the arrows to accept individual changes, or edit the text on the right.'

const headingOf = ({ name, format }: Side) => (format ? `${name}, ${format}` : name)

/** Shows their version beside yours and asks which to keep. Nothing is overwritten until you choose. */
export const ConflictView = (props: ConflictViewProps) => {
  const { title, theirs, mine, isMergeable = true, fieldConflicts } = props
  const [fromTheirs, setFromTheirs] = useState<ReadonlySet<string>>(new Set())
  const [isEdited, setIsEdited] = useState(false)
  const text = useRef(mine.text)
  const region = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => region.current?.focus(), [])

  const choose = (name: string, side: string) => {
    const names = new Set(fromTheirs)
    if (side === 'theirs') names.add(name)
    else names.delete(name)
    setFromTheirs(names)
  }

  return (
    <Stack component="section" aria-labelledby={id} ref={region} tabIndex={-1} style={{ outline: 'none' }}>
      <Alert color="yellow" icon={<IconGitMerge aria-hidden />} title={<span id={id}>{title}</span>}>
        {props.children} Your changes are kept, and nothing is overwritten until you choose.{' '}
        {isMergeable && HOW_TO_MERGE}
      </Alert>
      {fieldConflicts.map(({ name, label, ...sides }) => (
        <Radio.Group
          key={name}
          label={label}
          value={fromTheirs.has(name) ? 'theirs' : 'mine'}
          onChange={side => choose(name, side)}
        >
          <Group gap="xs" mt={4} className={classes.sides}>
            <Radio value="theirs" label={`${theirs.name}: ${sides.theirs}`} />
            <Radio value="mine" label={`${mine.name}: ${sides.mine}`} />
          </Group>
        </Radio.Group>
      ))}
      <div className={`${classes.texts} ${editorClasses.colors}`}>
        <div className={classes.body}>
          <div className={classes.heads}>
            <span>{headingOf(theirs)}</span>
            <span>{headingOf(mine)}</span>
          </div>
          <Suspense fallback={<Skeleton height="12rem" />}>
            <SideBySideMerge
              theirs={theirs}
              mine={mine}
              isReadOnly={!isMergeable}
              onChange={changed => {
                text.current = changed
                setIsEdited(true)
              }}
            />
          </Suspense>
        </div>
      </div>
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" onClick={props.onPostpone}>
          Back to editing
        </Button>
        <Button variant="default" onClick={props.onAcceptTheirs}>
          Use {theirs.name.toLowerCase()}
        </Button>
        <Button loading={props.isSaving} onClick={() => props.onSave(text.current, fromTheirs)}>
          {isEdited ? 'Save merged text' : 'Save your version'}
        </Button>
      </Group>
    </Stack>
  )
}
