import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconPhotoUp, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Confirm } from '../ui/Confirm.tsx'
import { focusAfterDialog } from '../ui/focus-after-dialog.ts'
import { notifySuccess } from '../ui/notify.ts'
import { Monogram } from './Monogram.tsx'
import { type Picture, readPicture } from './picture.ts'

const loadCropper = () => import('./IconCropper.tsx')
const IconCropper = lazy(async () => ({ default: (await loadCropper()).IconCropper }))

interface IconFieldProps {
  /** Name of the space or person. Its initials are shown if there is no icon. */
  name: string
  /** URL of the current icon. */
  url: string | null
  shape: 'square' | 'round'
  /** Says where the icon is shown. */
  description: string
  /** Stores a PNG, given in base64, and refreshes cached data. */
  onSave: (png: string) => Promise<unknown>
  /** Removes the icon, refreshes cached data and says that it was removed. */
  onRemove: () => Promise<unknown>
}

/** Field for the icon of a space or person: choose and crop a picture, or remove the icon. */
export const IconField = ({ name, url, shape, description, onSave, onRemove }: IconFieldProps) => {
  const chooseButton = useRef<HTMLButtonElement>(null)
  const reset = useRef<() => void>(null)
  const [picture, setPicture] = useState<Picture | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  useEffect(() => () => picture?.release(), [picture])

  const read = useMutation({
    mutationFn: async (file: File) => {
      const [picture] = await Promise.all([readPicture(file), loadCropper()])
      return picture
    },
    onSuccess: setPicture,
    // Reset the file input, so that the same file can be chosen again.
    onSettled: () => reset.current?.(),
  })
  const close = () => {
    setPicture(null)
    focusAfterDialog(chooseButton)
  }
  const remove = useMutation({
    mutationFn: onRemove,
    onSuccess: () => {
      setRemoving(false)
      focusAfterDialog(chooseButton)
    },
  })
  const failure = read.isError
    ? 'The cropping tool could not be loaded. Check your connection, then choose the picture again.'
    : read.data === null &&
      `“${read.variables.name}” is not a picture that this browser can open. Choose a PNG, JPEG, WebP or GIF, for example.`

  return (
    <Group role="group" aria-label="Icon" align="center" gap="lg">
      <Monogram src={url} name={name} size={96} radius={shape === 'round' ? '50%' : 'md'} />
      <Stack gap={6} style={{ minWidth: 0, flex: '1 1 12rem' }}>
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
                ref={chooseButton}
                variant="default"
                size="sm"
                leftSection={<IconPhotoUp size={18} aria-hidden />}
                loading={read.isPending}
                {...props}
              >
                {url ? 'Change picture' : 'Choose picture'}
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
        {failure && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {failure}
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
              notifySuccess('Icon saved.')
            }}
            onCancel={close}
          />
        </Suspense>
      )}
      <Confirm
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title="Remove icon?"
        action="Remove icon"
        onConfirm={() => remove.mutate()}
        mutation={remove}
      >
        <Text>The initials of the name are shown until you choose another picture.</Text>
      </Confirm>
    </Group>
  )
}
