import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogActions } from '../feedback/DialogActions.tsx'

interface ColumnDialogProps {
  /** The column to rename; null to add one. */
  column: string | null
  /** The names of all columns. */
  taken: readonly string[]
  onSubmit: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a column. */
export const ColumnDialog = ({ column, taken, onSubmit, onClose }: ColumnDialogProps) => {
  const [name, setName] = useState(column ?? '')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const error =
    name === ''
      ? 'Enter a name.'
      : name !== column && taken.includes(name)
        ? 'There is already a column with this name.'
        : null
  return (
    <Modal opened onClose={onClose} title={column === null ? 'Add column' : 'Rename column'} centered>
      <form
        onSubmit={event => {
          event.preventDefault()
          event.stopPropagation()
          setIsSubmitted(true)
          if (!error) onSubmit(name)
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="The name becomes a key of every object in the list."
            value={name}
            onChange={event => setName(event.currentTarget.value)}
            error={isSubmitted && error}
            autoComplete="off"
            autoCapitalize="none"
            data-autofocus
          />
          <DialogActions onCancel={onClose} isBusy={false}>
            <Button type="submit">{column === null ? 'Add column' : 'Rename column'}</Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
