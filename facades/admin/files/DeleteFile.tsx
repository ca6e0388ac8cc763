import { List, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { shownText } from '../../../routers/core/shown-text.ts'
import { api, type Outputs, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { notifyDeleted } from '../history/notify-deleted.tsx'
import { TextLink } from '../shell/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'

/** The pages, parts and records that contain the file's address, and would lose it. */
const Mentions = ({ fileId }: { fileId: string }) => {
  const { subdomain } = useSpace()
  const { data } = useQuery(api.files.mentions.queryOptions({ subdomain, file_id: fileId }))
  if (!data) return null
  const { pages, parts, records } = data
  if (pages.length + parts.length + records.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No page, part or record contains its address.
      </Text>
    )
  return (
    <div>
      <Text size="sm" fw={600}>
        Its address is used in
      </Text>
      <List size="sm">
        {pages.map(({ id, slug }) => (
          <List.Item key={id}>
            page{' '}
            <TextLink size="sm" to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: id }}>
              {slug}
            </TextLink>
          </List.Item>
        ))}
        {parts.map(({ id, name }) => (
          <List.Item key={id}>
            part{' '}
            <TextLink size="sm" to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: id }}>
              {name}
            </TextLink>
          </List.Item>
        ))}
        {records.map(({ key }) => (
          <List.Item key={key}>
            record{' '}
            <TextLink size="sm" to="/spaces/$subdomain/data/$key" params={{ subdomain, key }}>
              {key}
            </TextLink>
          </List.Item>
        ))}
      </List>
    </div>
  )
}

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
        queries.setQueryData(api.files.list.queryKey({ subdomain }), list =>
          list ? { ...list, data: list.data.filter(({ id }) => id !== file.id) } : list,
        )
        void queries.invalidateQueries(api.files.pathFilter())
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
      pending={remove.isPending}
      error={remove.error}
    >
      <Stack gap="sm">
        <Text size="sm">Its address stops working immediately. You can restore it from the history.</Text>
        <Mentions fileId={file.id} />
      </Stack>
    </Confirm>
  )
}
