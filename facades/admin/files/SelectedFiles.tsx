import { Box, Button, Checkbox, Group, List, Text } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { notifyDeleted, notifyFilesDeleted } from '../history/notify-deleted.tsx'
import { saveFile } from '../save-file.ts'
import { receiveFiles } from '../transfer/archive-requests.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { DangerButton } from '../ui/Section.tsx'
import { useSpace } from '../use-space.ts'

type StoredFile = Outputs['files']['get']

interface SelectedFilesProps {
  selected: StoredFile[]
  /** Number of files that the list shows. */
  total: number
  onSelectAll: (isAll: boolean) => void
  onDeleted: () => void
}

/** Number of names that the dialog lists. */
const LISTED = 5

const count = (files: number) => counted(files, 'file')

/** Selects all files of the list, and downloads or deletes the selected ones. */
export const SelectedFiles = ({ selected, total, onSelectAll, onDeleted }: SelectedFilesProps) => {
  const { subdomain } = useSpace()
  const [isAsking, setIsAsking] = useState(false)
  /**
   * The files deleted since the last notification. If a deletion fails, the files before it stay deleted.
   */
  const deleted = useRef<StoredFile[]>([])
  const refresh = () => queryClient.invalidateQueries(api.files.pathFilter())
  const notify = () => {
    const files = deleted.current
    deleted.current = []
    const [first] = files
    if (files.length > 1)
      notifyFilesDeleted(
        subdomain,
        files.map(({ id }) => id),
      )
    else if (first)
      notifyDeleted({ subdomain, kind: 'file', thing: first.id, title: `File ${shownText(first.name)}` })
  }
  const deletion = useMutation({
    mutationFn: async (files: StoredFile[]) => {
      for (const file of files)
        try {
          await rpc.files.delete.mutate({ subdomain, file_id: file.id })
          deleted.current.push(file)
        } catch (error) {
          // Continue if someone else has already deleted the file.
          if (failureOf(error).code !== 'file_not_found') throw error
        }
    },
    onSuccess: async () => {
      await refresh()
      setIsAsking(false)
      onDeleted()
      notify()
    },
  })
  const download = useDownload(subdomain)
  return (
    <Group mb="xs" gap="md" mih={36} pl="md">
      <Checkbox
        label={selected.length === 0 ? 'Select all' : `${count(selected.length)} selected`}
        checked={selected.length === total}
        indeterminate={selected.length > 0 && selected.length < total}
        onChange={() => onSelectAll(selected.length < total)}
      />
      {selected.length > 0 && (
        <Button
          size="sm"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.isPending}
          onClick={() => download.mutate(selected.map(({ id }) => id))}
        >
          Download as zip
        </Button>
      )}
      {selected.length > 0 && (
        <DangerButton
          label={`Delete ${count(selected.length)}`}
          icon={<IconTrash size={16} aria-hidden />}
          onClick={() => setIsAsking(true)}
        />
      )}
      {download.isError && (
        <Box w="100%">
          <FormFailure error={download.error} />
        </Box>
      )}
      <Confirm
        opened={isAsking}
        onClose={() => {
          if (deletion.isError) {
            void refresh()
            notify()
          }
          setIsAsking(false)
        }}
        title={`Delete ${count(selected.length)}?`}
        action={`Delete ${count(selected.length)}`}
        onConfirm={() => deletion.mutate(selected)}
        mutation={deletion}
      >
        <List size="sm" mb="sm">
          {selected.slice(0, LISTED).map(({ id, name }) => (
            <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
              {shownText(name)}
            </List.Item>
          ))}
          {selected.length > LISTED && <List.Item>and {selected.length - LISTED} more</List.Item>}
        </List>
        <Text size="sm">
          Their addresses stop working immediately. You can restore them from the history.
        </Text>
      </Confirm>
    </Group>
  )
}

/** Downloads files of a space, given their ids, as one zip archive. Leaving the view cancels the download. */
export const useDownload = (subdomain: string) => {
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  return useMutation({
    mutationFn: (fileIds: string[]) => {
      running.current = new AbortController()
      return receiveFiles(subdomain, fileIds, running.current.signal)
    },
    onSuccess: ({ name, content }) => {
      saveFile(name, content)
      notifySuccess(`Saved as ${name}.`)
    },
    onError: error => {
      // Someone else has deleted one of the files.
      if (failureOf(error).code === 'file_not_found')
        void queryClient.invalidateQueries(api.files.pathFilter())
    },
  })
}
