import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import classes from './DescribePicture.module.css'

interface DescribePictureProps {
  src: string
  alt: string
  /** Label of the button. */
  action: string
  onDescribed: (alt: string) => void
  onClose: () => void
}

/** Asks for the description of a picture. */
export const DescribePicture = ({ src, alt, action, onDescribed, onClose }: DescribePictureProps) => {
  const [text, setText] = useState(alt)
  return (
    <Modal opened onClose={onClose} title="Describe the picture" centered returnFocus={false}>
      <form
        onSubmit={event => {
          event.preventDefault()
          onDescribed(text.trim())
        }}
      >
        <Stack>
          <img src={src} alt="" className={classes.picture} />
          <TextInput
            label="Description"
            description="For readers who can’t see the picture. Leave it empty if the picture is only decoration."
            data-autofocus
            value={text}
            onChange={event => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit">{action}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
