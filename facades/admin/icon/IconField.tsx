import { Avatar, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Confirm } from '../feedback/Confirm.tsx'
import { focusAfterDialog } from '../feedback/focus-after-dialog.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { type Picture, readPicture } from './picture.ts'

const loadCropper = () => import('./IconCropper.tsx')
const IconCropper = lazy(async () => ({ default: (await loadCropper()).IconCropper }))

interface IconFieldProps {
  /** What it is the icon of, for the letters in place of one. */
  name: string
  /** Address of the present icon. */
  url: string | null
  shape: 'square' | 'round'
  /** Who sees it where. */
  description: string
  /** Stores a PNG, given in base64, and lets the views read it anew. */
  onSave: (png: string) => Promise<unknown>
  onRemove: () => Promise<unknown>
}

/** The icon of a space or a person: choose a picture, crop it, or take the icon away. */
export const IconField = ({ name, url, shape, description, onSave, onRemove }: IconFieldProps) => {
  const choose = useRef<HTMLButtonElement>(null)
  const reset = useRef<() => void>(null)
  const [picture, setPicture] = useState<Picture | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  useEffect(() => () => picture?.forget(), [picture])

  const read = useMutation({
    mutationFn: async (file: File) => {
      const [picture] = await Promise.all([readPicture(file), loadCropper()])
      return picture
    },
    onSuccess: setPicture,
    // The same file can be chosen once more.
    onSettled: () => reset.current?.(),
  })
  const close = () => {
    setPicture(null)
    focusAfterDialog(choose)
  }
  const remove = useMutation({
    mutationFn: onRemove,
    onSuccess: () => {
      setRemoving(false)
      focusAfterDialog(choose)
      notifySuccess('The icon has been removed.')
    },
  })
  const fault = read.isError
    ? 'The cropper could not be loaded. Check your connection and choose the picture again.'
    : read.data === null &&
      `“${read.variables.name}” is no picture that this browser can read. Choose a PNG, JPEG, WebP or GIF, for example.`

  return (
    <Group role="group" aria-label="Icon" align="center" wrap="nowrap" gap="lg">
      <Avatar src={url} name={name} color="leaf" size={96} radius={shape === 'round' ? '50%' : 'md'} alt="" />
      <Stack gap={6} style={{ minWidth: 0 }}>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        <Group gap="xs">
          <FileButton
            accept="image/*"
            resetRef={reset}
            onChange={file => file && read.mutate(file)}
            inputProps={{ 'aria-label': 'Picture for the icon' }}
          >
            {props => (
              <Button
                ref={choose}
                variant="default"
                size="sm"
                leftSection={<IconPhotoUp size={18} aria-hidden />}
                loading={read.isPending}
                {...props}
              >
                {url ? 'Change picture' : 'Choose a picture'}
              </Button>
            )}
          </FileButton>
          {url && (
            <Button
              variant="subtle"
              color="red"
              size="sm"
              leftSection={<IconTrash size={18} aria-hidden />}
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          )}
        </Group>
        {fault && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {fault}
          </Text>
        )}
      </Stack>
      {picture && (
        <Suspense>
          <IconCropper
            picture={picture}
            shape={shape}
            onSave={onSave}
            onSaved={() => {
              close()
              notifySuccess('The icon has been changed.')
            }}
            onCancel={close}
          />
        </Suspense>
      )}
      <Confirm
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove the icon?"
        action="Remove icon"
        onConfirm={() => remove.mutate()}
        pending={remove.isPending}
        error={remove.error}
      >
        <Text>Letters of the name show in its place until you choose another picture.</Text>
      </Confirm>
    </Group>
  )
}
