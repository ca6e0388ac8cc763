import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogActions } from '../ui/Confirm.tsx'
import { addressFrom } from './paste.ts'

interface LinkDialogProps {
  /** The address of the link at the cursor; null if there is none. */
  link: string | null
  /** Whether nothing is selected that could become the link. */
  needsText: boolean
  /** Called with the address, or null to remove the link. */
  onSet: (href: string | null, text: string) => void
  onClose: () => void
}

/** Asks for the address of a link. */
export const LinkDialog = ({ link, needsText, onSet, onClose }: LinkDialogProps) => {
  const [address, setAddress] = useState(link ?? '')
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  const set = (href: string | null) => {
    onClose()
    onSet(href, text.trim())
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={link === null ? 'Add a link' : 'Change the link'}
      centered
      returnFocus={false}
    >
      <form
        onSubmit={event => {
          event.preventDefault()
          const href = addressFrom(address)
          if (href === undefined) setRefused(true)
          else set(href)
        }}
      >
        <Stack>
          <TextInput
            label="Address"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://"
            data-autofocus
            value={address}
            error={
              isRefused &&
              'Enter the address of a website, such as https://example.com, or of an e-mail account.'
            }
            onChange={event => {
              setAddress(event.currentTarget.value)
              setRefused(false)
            }}
          />
          {needsText && (
            <TextInput
              label="Text"
              description="What readers click. If it is empty, they see the address."
              value={text}
              onChange={event => setText(event.currentTarget.value)}
            />
          )}
          <DialogActions onCancel={onClose}>
            {link !== null && (
              <Button variant="default" onClick={() => set(null)}>
                Remove link
              </Button>
            )}
            <Button type="submit">{link === null ? 'Add link' : 'Change link'}</Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
