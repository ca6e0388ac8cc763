import { Alert, Button, Group, Radio, Skeleton, Stack } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import editorClasses from './CodeEditor.module.css'
import type { CodeLanguage } from './CodeEditor.tsx'
import classes from './Conflict.module.css'

const MergeTexts = lazy(() => import('./MergeTexts.tsx'))

/** A field besides the text that both have changed, in words. */
export interface Dispute {
  name: string
  label: string
  theirs: string
  mine: string
}

/** The text of one side. */
export interface Side {
  /** What the side is called: "Theirs", "Yours". */
  name: string
  text: string
  /** Undefined for words in no language of the editor's. */
  language: CodeLanguage | undefined
  /** What it is written in, where that has to be said. */
  format?: string
}

interface ConflictProps {
  title: string
  theirs: Side
  /** What would be saved unless something is changed here. */
  mine: Side
  /** Whether pieces of one text make sense in the other. Otherwise both can only be read. */
  isMergeable?: boolean
  disputes: readonly Dispute[]
  /** Who saved when, and what else is to be known before it is decided. */
  children: ReactNode
  isSaving: boolean
  onPutOff: () => void
  onTakeTheirs: () => void
  /** Hears the text, and the names of the disputes that are to be as they have it. */
  onSave: (text: string, asTheirs: ReadonlySet<string>) => void
}

const HOW_TO_MERGE =
  'Take over single changes with the arrows, or write on the right until it is as it should be.'

const headOf = ({ name, format }: Side) => (format ? `${name}, ${format}` : name)

/** What somebody else wrote beside what is here, until it is decided what to keep. Nothing is overwritten before. */
export const Conflict = (props: ConflictProps) => {
  const { title, theirs, mine, isMergeable = true, disputes } = props
  const [asTheirs, setAsTheirs] = useState<ReadonlySet<string>>(new Set())
  const [isEdited, setIsEdited] = useState(false)
  const text = useRef(mine.text)
  const region = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => region.current?.focus(), [])

  const choose = (name: string, side: string) => {
    const names = new Set(asTheirs)
    if (side === 'theirs') names.add(name)
    else names.delete(name)
    setAsTheirs(names)
  }

  return (
    <Stack component="section" aria-labelledby={id} ref={region} tabIndex={-1} style={{ outline: 'none' }}>
      <Alert color="yellow" icon={<IconGitMerge aria-hidden />} title={<span id={id}>{title}</span>}>
        {props.children} Nothing of yours is lost, and nothing is overwritten before you decide.{' '}
        {isMergeable && HOW_TO_MERGE}
      </Alert>
      {disputes.map(({ name, label, ...sides }) => (
        <Radio.Group
          key={name}
          label={label}
          value={asTheirs.has(name) ? 'theirs' : 'mine'}
          onChange={side => choose(name, side)}
        >
          <Group gap="xs" mt={4} className={classes.sides}>
            <Radio value="theirs" label={`${theirs.name}: ${sides.theirs}`} />
            <Radio value="mine" label={`${mine.name}: ${sides.mine}`} />
          </Group>
        </Radio.Group>
      ))}
      <div className={`${classes.texts} ${editorClasses.colours}`}>
        <div className={classes.body}>
          <div className={classes.heads}>
            <span>{headOf(theirs)}</span>
            <span>{headOf(mine)}</span>
          </div>
          <Suspense fallback={<Skeleton height="12rem" />}>
            <MergeTexts
              theirs={theirs}
              mine={mine}
              isReadOnly={!isMergeable}
              onChange={words => {
                text.current = words
                setIsEdited(true)
              }}
            />
          </Suspense>
        </div>
      </div>
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" onClick={props.onPutOff}>
          Back to writing
        </Button>
        <Button variant="default" onClick={props.onTakeTheirs}>
          Take {theirs.name.toLowerCase()}
        </Button>
        <Button loading={props.isSaving} onClick={() => props.onSave(text.current, asTheirs)}>
          {isEdited ? 'Save the right text' : 'Save yours'}
        </Button>
      </Group>
    </Stack>
  )
}
