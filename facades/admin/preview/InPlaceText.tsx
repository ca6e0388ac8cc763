import { Button, Group, Textarea } from '@mantine/core'
import { type CSSProperties, useState } from 'react'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.tsx'
import classes from './MarkOutlines.module.css'
import { ChangedMeanwhile } from './record-edits.tsx'
import type { EditedText, TextEditing } from './use-text-editing.ts'

/** For a text that was typed over the preview. */
const TYPED = { title: 'Leave without saving?', text: 'The text that you typed in the preview is lost.' }

interface InPlaceTextProps {
  edited: EditedText
  editing: TextEditing
  /** By how much the preview is scaled. The field is not. */
  scale: number
}

/** A field over an element of the preview, for its text. */
export const InPlaceText = ({ edited, editing, scale }: InPlaceTextProps) => {
  const { place, name } = edited
  const { left = 0, top = 0, width = 0 } = place.rect ?? {}
  const [text, setText] = useState(edited.text)
  const guard = useLeaveGuard(text !== edited.text, TYPED)
  const { save, close, isSaving, error } = editing
  const isChanged = error instanceof ChangedMeanwhile
  return (
    <form
      className={classes.field}
      aria-label={`Edit the text of ${name}`}
      style={
        {
          '--left': `${left}px`,
          '--top': `${top}px`,
          '--width': `${width * scale}px`,
          '--scale': scale,
        } as CSSProperties
      }
      onSubmit={event => {
        event.preventDefault()
        save(text)
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') close()
        if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
        if (event.target instanceof HTMLButtonElement) return
        event.preventDefault()
        save(text)
      }}
    >
      <Textarea
        aria-label={`Text of ${name}`}
        autosize
        maxRows={8}
        autoFocus
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        disabled={isSaving}
        onFocus={event => event.currentTarget.select()}
        error={
          isChanged &&
          'This text has changed in the meantime. Copy yours, cancel, and click the element again.'
        }
      />
      {!isChanged && <FormFailure error={error} />}
      <Group gap="xs" mt={6} justify="flex-end">
        <Button size="compact-sm" variant="default" onClick={close}>
          Cancel
        </Button>
        <Button size="compact-sm" type="submit" loading={isSaving}>
          {'record' in edited ? 'Save' : 'Change'}
        </Button>
      </Group>
      {guard}
    </form>
  )
}
