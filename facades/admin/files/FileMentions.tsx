import { List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { TextLink } from '../shell/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'

/** Lists the pages, parts and records that contain the file's address, and would break without the file. */
export const FileMentions = ({ fileId }: { fileId: string }) => {
  const { subdomain } = useSpace()
  const { data, error, refetch } = useQuery(
    api.files.mentions.queryOptions({ subdomain, file_id: fileId }, { staleTime: 0 }),
  )
  if (error) return <FailureView error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <Text size="sm" c="dimmed" role="status">
        Checking where the file is used…
      </Text>
    )
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
