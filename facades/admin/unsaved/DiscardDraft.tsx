import { Button, type ButtonProps, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Confirm } from '../ui/Confirm.tsx'

interface DiscardDraftProps {
  /** The button's text. */
  text: string
  /** The button's accessible name, if it differs from the text. */
  label?: string
  size?: ButtonProps['size']
  isPending?: boolean
  onDiscard: () => void
}

/** A button that discards unsaved changes. Asks first, because no history contains them. */
export const DiscardDraft = ({
  text,
  label,
  size = 'compact-sm',
  isPending = false,
  onDiscard,
}: DiscardDraftProps) => {
  const [isAsking, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" size={size} onClick={open} loading={isPending} aria-label={label}>
        {text}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={close}
        title="Discard your unsaved changes?"
        action="Discard"
        onConfirm={() => {
          close()
          onDiscard()
        }}
      >
        <Text size="sm">You can’t restore them. Saved versions are not affected.</Text>
      </Confirm>
    </>
  )
}
