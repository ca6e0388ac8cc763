import { Group, List, Text } from '@mantine/core'
import type { Outputs } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'

export type Uses = Outputs['parts']['get']['used_by']

/** A count such as "2 pages and 1 part"; empty if nothing uses the part. */
export const countUses = ({ pages, parts }: Uses): string =>
  [
    pages.length > 0 && `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`,
    parts.length > 0 && `${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`,
  ]
    .filter(Boolean)
    .join(' and ')

/** Links to the pages and parts that use a part. */
export const UsedBy = ({ uses }: { uses: Uses }) => {
  const { subdomain } = useSpace()
  if (uses.pages.length + uses.parts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing uses this part yet. Include it in a page or part with {'{% render %}'}, {'{% include %}'} or{' '}
        {'{% layout %}'}.
      </Text>
    )
  return (
    <Group component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Used by">
      <Text component="li" size="sm" c="dimmed">
        Used by
      </Text>
      {uses.pages.map(({ id, slug }) => (
        <li key={id}>
          <TextLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: id }} size="sm">
            {slug}
          </TextLink>
        </li>
      ))}
      {uses.parts.map(({ id, name }) => (
        <li key={id}>
          <TextLink to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: id }} size="sm">
            {name} (part)
          </TextLink>
        </li>
      ))}
    </Group>
  )
}

/** The pages and parts that a rename or deletion would break. */
export const BrokenUses = ({ uses }: { uses: Uses }) => (
  <List size="sm" mt="xs" mah="12rem" style={{ overflow: 'auto' }}>
    {uses.pages.map(({ id, slug }) => (
      <List.Item key={id}>Page {slug}</List.Item>
    ))}
    {uses.parts.map(({ id, name }) => (
      <List.Item key={id}>Part {name} and everything that uses it</List.Item>
    ))}
  </List>
)
