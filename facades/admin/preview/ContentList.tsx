import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { pointerOf } from '../../shared/check-json.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import type { ListedContent, TextPlace } from './contents.ts'

interface ContentListProps {
  subdomain: string
  contents: readonly ListedContent[]
  /** Whether a text is open, so that no other one can be opened. */
  isEditing: boolean
  /** Opens a text in place. */
  onEdit: (place: TextPlace) => void
  /** Moves the focus to a tag in the code. */
  onEditTag: (tag: NonNullable<ListedContent['tag']>) => void
}

/** Maximum number of texts and values that are listed. */
const LISTED = 6

/** The texts and values in the selected element, each with a way to where it is written and a button that edits it. */
export const ContentList = ({ subdomain, contents, isEditing, onEdit, onEditTag }: ContentListProps) => (
  <Group gap="0 0.75rem" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
    {contents.slice(0, LISTED).map(({ label, record, tag, place }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two texts can be the same; the list is replaced as a whole
      <li key={index} style={{ display: 'inline-flex', alignItems: 'center', gap: 2 }}>
        {record ? (
          <TextLink
            size="xs"
            ff="monospace"
            to="/spaces/$subdomain/data/$key"
            params={{ subdomain, key: record[0] }}
            search={{ at: pointerOf(record.slice(1)) || undefined }}
          >
            {label}
          </TextLink>
        ) : tag ? (
          <Anchor
            component="button"
            type="button"
            size="xs"
            ff="monospace"
            underline="always"
            onClick={() => onEditTag(tag)}
          >
            {label}
          </Anchor>
        ) : (
          <Text size="xs">{label}</Text>
        )}
        {place && (
          <Tooltip label={`Edit ${label}`}>
            <ActionIcon
              size={24}
              variant="subtle"
              aria-label={`Edit ${label}`}
              disabled={isEditing}
              onClick={() => onEdit(place)}
            >
              <IconPencil size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </li>
    ))}
    {contents.length > LISTED && (
      <Text component="li" size="xs" c="dimmed">{`and ${contents.length - LISTED} more`}</Text>
    )}
  </Group>
)
