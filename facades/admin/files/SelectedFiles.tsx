import { Box, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { saveFile } from '../save-file.ts'
import { SelectedItems } from '../selection/SelectedItems.tsx'
import type { Selection } from '../selection/use-selection.ts'
import { receiveFiles } from '../transfer/archive-requests.ts'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import { useSpace } from '../use-space.ts'

type StoredFile = Outputs['files']['get']

interface SelectedFilesProps {
  selection: Selection<StoredFile>
  onDeleted: () => void
}

/** Selects all files of the list, and downloads or deletes the selected ones. */
export const SelectedFiles = ({ selection, onDeleted }: SelectedFilesProps) => {
  const { subdomain } = useSpace()
  const { selected } = selection
  const download = useDownload(subdomain)
  return (
    <SelectedItems
      kind="file"
      selection={selection}
      remove={file_id => rpc.files.delete.mutate({ subdomain, file_id })}
      missing="file_not_found"
      refresh={() => queryClient.invalidateQueries(api.files.pathFilter())}
      consequence="Their addresses stop working immediately."
      onDeleted={onDeleted}
    >
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
      {download.isError && (
        <Box w="100%" style={{ order: 1 }}>
          <FormFailure error={download.error} />
        </Box>
      )}
    </SelectedItems>
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
