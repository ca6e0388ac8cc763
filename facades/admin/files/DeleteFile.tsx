import { Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api, type Outputs, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifyDeleted } from '../history/notify-deleted.tsx'
import { useSpace } from '../use-space.ts'
import { FileMentions } from './FileMentions.tsx'

interface DeleteFileProps {
  file: Outputs['files']['get']
  onClose: () => void
  onDeleted: () => void
}

/** Asks before a file is deleted. */
export const DeleteFile = ({ file, onClose, onDeleted }: DeleteFileProps) => {
  const { subdomain } = useSpace()
  const remove = useMutation(
    api.files.delete.mutationOptions({
      onSuccess: () => {
        queries.setQueryData(
          api.files.list.queryKey({ subdomain }),
          list =>
            list && {
              data: list.data.filter(({ id }) => id !== file.id),
              // Subtract the size now, so that an upload can use the freed storage immediately.
              storage: { ...list.storage, used: list.storage.used - file.size },
            },
        )
        notifyDeleted({ subdomain, kind: 'file', thing: file.id, title: `File ${shownText(file.name)}` })
        onDeleted()
      },
    }),
  )
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete ${shownText(file.name)}?`}
      action="Delete file"
      onConfirm={() => remove.mutate({ subdomain, file_id: file.id })}
      mutation={remove}
    >
      <Stack gap="sm">
        <Text size="sm">
          Its address stops working immediately. You can restore the file from the history.
        </Text>
        <FileMentions fileId={file.id} />
      </Stack>
    </Confirm>
  )
}
