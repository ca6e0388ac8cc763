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

/** Asks before a record is deleted for good. */
export const DeleteRecord = ({ recordKey, opened, onClose, onDeleted }: DeleteRecordProps) => {
  const { subdomain } = useSpace()
  const onGone = () => {
    void queries.invalidateQueries(api.records.pathFilter())
    notifySuccess(`Deleted the record ${recordKey}`)
    onDeleted()
  }
  const remove = useMutation(
    api.data.delete.mutationOptions({
      onSuccess: onGone,
      // Somebody else was faster; what was wanted has happened.
      onError: error => failureOf(error).code === 'data_not_found' && onGone(),
    }),
  )
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Delete the record ${recordKey}?`}
      action="Delete record"
      onConfirm={() => remove.mutate({ subdomain, key: recordKey })}
      pending={remove.isPending}
      error={remove.error}
    >
      <Text size="sm">
        Its value and versions are gone for good. Pages that read it show nothing in its place.
      </Text>
    </Confirm>
  )
}
