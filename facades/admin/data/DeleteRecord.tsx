import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifyDeleted } from '../history/notify-deleted.tsx'
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
    notifyDeleted({ subdomain, kind: 'record', thing: recordKey, title: `Record ${recordKey}` })
    onDeleted()
  }
  const remove = useMutation(
    api.data.delete.mutationOptions({
      onSuccess: onRemoved,
      // Someone else has already deleted the record, which is the intended result.
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
      mutation={remove}
    >
      <Text size="sm">
        Pages that use this record will show nothing in its place. You can restore it from the history.
      </Text>
    </Confirm>
  )
}
