import { Group, Text, ThemeIcon } from '@mantine/core'
import { IconDatabase, IconFile, IconFiles, IconPuzzle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { TextLink } from '../shell/ButtonLink.tsx'
import { Section } from '../shell/Section.tsx'
import classes from './RecentChanges.module.css'

type Change = Outputs['spaces']['overview']['changes'][number]

const KINDS: Record<Change['kind'], { icon: ReactNode; word: string }> = {
  page: { icon: <IconFile size={18} />, word: 'Page' },
  part: { icon: <IconPuzzle size={18} />, word: 'Part' },
  record: { icon: <IconDatabase size={18} />, word: 'Record' },
  file: { icon: <IconFiles size={18} />, word: 'File' },
}

/** Links to the view that edits the changed item. */
const ChangeLink = ({ subdomain, change: { kind, id, name } }: { subdomain: string; change: Change }) => {
  const props = { fw: 600, underline: 'hover' as const, className: classes.name ?? '' }
  switch (kind) {
    case 'page':
      return (
        <TextLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: id }} {...props}>
          {name}
        </TextLink>
      )
    case 'part':
      return (
        <TextLink to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: id }} {...props}>
          {name}
        </TextLink>
      )
    case 'record':
      return (
        <TextLink to="/spaces/$subdomain/data/$key" params={{ subdomain, key: id }} {...props}>
          {name}
        </TextLink>
      )
    case 'file':
      return (
        <TextLink to="/spaces/$subdomain/files" params={{ subdomain }} {...props}>
          {name}
        </TextLink>
      )
  }
}

/** Lists the latest changes in a space, by people and programs. */
export const RecentChanges = ({ subdomain, changes }: { subdomain: string; changes: Change[] }) => (
  <Section
    title="Recent changes"
    text={
      changes.length === 0
        ? 'Nothing has been created in this space yet.'
        : 'By participants, scripts and agents.'
    }
    action={
      changes.length > 0 && (
        <TextLink to="/spaces/$subdomain/history" params={{ subdomain }} size="sm">
          History
        </TextLink>
      )
    }
  >
    {changes.length > 0 && (
      <ul className={classes.list} aria-label="Recent changes">
        {changes.map(change => (
          <li key={`${change.kind} ${change.id}`}>
            <Group gap="sm" wrap="nowrap">
              <ThemeIcon variant="light" size={32} radius="md" aria-hidden>
                {KINDS[change.kind].icon}
              </ThemeIcon>
              <div style={{ minWidth: 0 }}>
                <ChangeLink subdomain={subdomain} change={change} />
                <Text size="sm" c="dimmed">
                  {KINDS[change.kind].word} {change.is_new ? 'created' : 'updated'}{' '}
                  <RelativeTime at={change.changed_at} />
                </Text>
              </div>
            </Group>
          </li>
        ))}
      </ul>
    )}
  </Section>
)
