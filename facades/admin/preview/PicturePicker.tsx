import { Button, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api, type Outputs } from '../api.ts'
import { Thumbnail } from '../files/FileList.tsx'
import { isImage } from '../files/file-kind.tsx'
import type { StoredPicture } from '../pictures/stored-picture.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import classes from './PicturePicker.module.css'

interface PicturePickerProps {
  subdomain: string
  /** Whether a template finds the picture by its name. */
  isByName: boolean
  onChoose: (picture: StoredPicture) => void
  onUpload: (picture: File) => void
  onClose: () => void
}

/** The first picture that was dropped; undefined if there is none. */
export const droppedPicture = ({ files }: DataTransfer): File | undefined =>
  [...files].find(({ type }) => isImage(type))

/** A dialog with the pictures of a space, from which the person chooses one or adds one. */
export const PicturePicker = ({ subdomain, isByName, onChoose, onUpload, onClose }: PicturePickerProps) => {
  const list = useQuery(api.files.list.queryOptions({ subdomain }))
  const picturesIn = (files: Outputs['files']['list']['data']) =>
    (isByName ? foundByName(files) : files).filter(({ content_type }) => isImage(content_type))
  const upload = (picture: File | null | undefined) => picture && onUpload(picture)
  return (
    <Modal opened onClose={onClose} title="Choose a picture" centered size="lg">
      <Stack
        gap="sm"
        onDragOver={event => event.preventDefault()}
        onDrop={event => {
          event.preventDefault()
          upload(droppedPicture(event.dataTransfer))
        }}
      >
        <Group justify="space-between" gap="sm">
          <FileButton accept="image/*" onChange={upload}>
            {props => (
              <Button leftSection={<IconUpload size={18} aria-hidden />} data-autofocus {...props}>
                Upload a picture
              </Button>
            )}
          </FileButton>
          <Text size="sm" c="dimmed">
            Or drop one here.
          </Text>
        </Group>
        <Loaded query={list} placeholder={<Loading />}>
          {({ data }) => (
            <ul className={classes.pictures} aria-label="Pictures of this space">
              {picturesIn(data).map(file => (
                <li key={file.id}>
                  <button type="button" className={classes.picture} onClick={() => onChoose(file)}>
                    <Thumbnail file={file} size="large" />
                    <span className={classes.name}>{file.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Stack>
    </Modal>
  )
}

/** The files that templates find by their names: of several with the same name, the newest, which is listed first. */
const foundByName = <File extends { name: string }>(files: readonly File[]): File[] => {
  const names = new Set<string>()
  return files.filter(({ name }) => !names.has(name) && names.add(name))
}
