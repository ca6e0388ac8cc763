import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { useSpace } from '../use-space.ts'

interface DeleteRecordProps {
  recordKey: string
  opened: boolean
  onClose: () => void
  onDeleted: () => void
}

/** Asks before a record is deleted. */
export const DeleteRecord = ({ recordKey, opened, onClose, onDeleted }: DeleteRecordProps) => {
  const { subdomain } = useSpace()
  const onRemoved = () => {
    void queries.invalidateQueries(api.records.pathFilter())
    notifySuccess(`Record ${recordKey} deleted`)
    onDeleted()
  }
  const remove = useMutation(
    api.data.delete.mutationOptions({
      onSuccess: onRemoved,
      // Already deleted by someone else: the goal is reached.
      onError: error => failureOf(error).code === 'data_not_found' && onRemoved(),
    }),
  )
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Delete ${recordKey}?`}
      action="Delete record"
      onConfirm={() => remove.mutate({ subdomain, key: recordKey })}
      pending={remove.isPending}
      error={remove.error}
    >
      <Text size="sm">Pages that use this record will show nothing in its place. You can’t undo this.</Text>
    </Confirm>
  )
}
