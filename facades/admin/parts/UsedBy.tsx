import { Group, List, Text } from '@mantine/core'
import type { Outputs } from '../api.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'

export type Uses = Outputs['parts']['get']['used_by']

/** How many pages and parts there are, in words. */
export const inNumbers = ({ pages, parts }: Uses): string =>
  [
    pages.length > 0 && `${pages.length} ${pages.length === 1 ? 'page' : 'pages'}`,
    parts.length > 0 && `${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`,
  ]
    .filter(Boolean)
    .join(' and ')

/** What uses a part, with links to each. */
export const UsedBy = ({ uses }: { uses: Uses }) => {
  const { subdomain } = useSpace()
  if (uses.pages.length + uses.parts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing uses this part yet. Pages and parts take it in with {'{% render %}'}, {'{% include %}'} or{' '}
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
          <TextLink
            to="/spaces/$subdomain/pages/$pageId"
            params={{ subdomain, pageId: id }}
            size="sm"
            underline="always"
          >
            {slug}
          </TextLink>
        </li>
      ))}
      {uses.parts.map(({ id, name }) => (
        <li key={id}>
          <TextLink
            to="/spaces/$subdomain/parts/$partId"
            params={{ subdomain, partId: id }}
            size="sm"
            underline="always"
          >
            {name} (part)
          </TextLink>
        </li>
      ))}
    </Group>
  )
}

/** What will show an error, for a question before it does. */
export const WhatBreaks = ({ uses }: { uses: Uses }) => (
  <List size="sm" mt="xs" mah="12rem" style={{ overflow: 'auto' }}>
    {uses.pages.map(({ id, slug }) => (
      <List.Item key={id}>Page {slug}</List.Item>
    ))}
    {uses.parts.map(({ id, name }) => (
      <List.Item key={id}>Part {name}, and what uses it</List.Item>
    ))}
  </List>
)
