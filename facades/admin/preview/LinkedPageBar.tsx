import { CloseButton, Group, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import classes from './Preview.module.css'

/** A page that a link in a draft leads to. */
export interface LinkedPage {
  id: string
  slug: string
  subdomain: string
}

interface LinkedPageBarProps {
  page: LinkedPage
  onClose: () => void
}

/**
 * Offers to edit the page that a link in the draft leads to. The draft can only trigger the offer; only a click here
 * opens the page.
 */
export const LinkedPageBar = ({ page: { id, slug, subdomain }, onClose }: LinkedPageBarProps) => (
  <div className={classes.bar} role="status">
    <Group gap="xs" wrap="nowrap" style={{ flex: '1 1 8rem', minWidth: 0 }}>
      <IconLink size={16} aria-hidden style={{ flex: 'none' }} />
      <Text size="sm">This link leads to the page {slug}.</Text>
    </Group>
    <ButtonLink
      to="/spaces/$subdomain/pages/$pageId"
      params={{ subdomain, pageId: id }}
      size="xs"
      variant="light"
    >
      Edit {slug}
    </ButtonLink>
    <CloseButton size="sm" aria-label="Close" onClick={onClose} />
  </div>
)

/**
 * Returns the pages of a space; undefined while the pages load. If a person clicks a link in a preview, and the link
 * leads to one of these pages, the preview offers to edit this page.
 *
 * @param current id of the page being edited, which is left out; null for a new page or a part
 */
export const useLinkedPages = (
  subdomain: string,
  current: string | null,
): readonly LinkedPage[] | undefined => {
  const { data, isError } = useQuery(api.pages.list.queryOptions({ subdomain }))
  return useMemo(() => {
    if (!data) return isError ? [] : undefined
    return data.data.filter(({ id }) => id !== current).map(({ id, slug }) => ({ id, slug, subdomain }))
  }, [data, isError, current, subdomain])
}
