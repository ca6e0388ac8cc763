import { CloseButton, Group, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { ButtonLink } from '../shell/ButtonLink.tsx'
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
