import { Alert, Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { IconGitMerge } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { When } from '../feedback/When.tsx'
import editorClasses from './CodeEditor.module.css'
import classes from './Conflict.module.css'
import { mergeFields } from './merge-fields.ts'
import type { Editing, Fields, Stored } from './use-editing.ts'

const MergeTexts = lazy(() => import('./MergeTexts.tsx'))

interface ConflictProps<F extends Fields> {
  editing: Editing<F>
  theirs: Stored<F>
  /** What is changed: "page", "part". */
  what: string
  /** Names of the fields besides the body. */
  labels: Partial<Record<keyof F & string, string>>
}

/** What somebody else wrote beside what is here, until it is decided what to keep. Nothing is overwritten before. */
export const Conflict = <F extends Fields>({ editing, theirs, what, labels }: ConflictProps<F>) => {
  const mine = useRef(editing.current()).current
  const { fields: merged, disputed } = mergeFields(editing.base.fields, mine, theirs.fields)
  const [chosen, setChosen] = useState(merged)
  const [isEdited, setIsEdited] = useState(false)
  const html = useRef(merged.html)
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => region.current?.focus(), [])

  return (
    <Stack
      component="section"
      aria-labelledby="conflict"
      ref={region}
      tabIndex={-1}
      style={{ outline: 'none' }}
    >
      <Alert
        color="yellow"
        icon={<IconGitMerge aria-hidden />}
        title={<span id="conflict">Somebody else changed this {what}</span>}
      >
        They saved it {theirs.updated_at && <When at={theirs.updated_at} />}. Nothing of yours is lost, and
        nothing of theirs is overwritten. Take over single changes with the arrows, or write on the right
        until it is as it should be.
      </Alert>
      {disputed
        .filter(name => name !== 'html')
        .map(name => (
          <Group key={name} gap="sm">
            <Text size="sm" fw={600}>
              {labels[name] ?? name}
            </Text>
            <SegmentedControl
              size="xs"
              aria-label={labels[name] ?? name}
              value={chosen[name] === mine[name] ? 'mine' : 'theirs'}
              onChange={side =>
                setChosen({ ...chosen, [name]: side === 'mine' ? mine[name] : theirs.fields[name] })
              }
              data={[
                { value: 'theirs', label: `Theirs: ${theirs.fields[name]}` },
                { value: 'mine', label: `Yours: ${mine[name]}` },
              ]}
            />
          </Group>
        ))}
      <div className={`${classes.texts} ${editorClasses.colours}`}>
        <div className={classes.body}>
          <div className={classes.heads}>
            <span>Theirs</span>
            <span>Yours</span>
          </div>
          <Suspense fallback={<Skeleton height="100%" />}>
            <MergeTexts
              theirs={theirs.fields.html}
              mine={merged.html}
              onChange={text => {
                html.current = text
                setIsEdited(true)
              }}
            />
          </Suspense>
        </div>
      </div>
      <Group justify="flex-end">
        <Button variant="subtle" color="gray" onClick={editing.putOff}>
          Back to writing
        </Button>
        <Button variant="default" onClick={() => editing.takeTheirs(theirs)}>
          Take theirs
        </Button>
        <Button
          loading={editing.saving.isPending}
          onClick={() => editing.saveOver(theirs, { ...chosen, html: html.current })}
        >
          {isEdited ? 'Save the right text' : 'Save yours'}
        </Button>
      </Group>
    </Stack>
  )
}
