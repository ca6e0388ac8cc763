import { IconDatabase, IconFile, IconFiles, IconPuzzle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'

type Change = Outputs['spaces']['overview']['changes'][number]

const KINDS: Record<Change['kind'], { icon: ReactNode; word: string }> = {
  page: { icon: <IconFile size={20} />, word: 'Page' },
  part: { icon: <IconPuzzle size={20} />, word: 'Part' },
  record: { icon: <IconDatabase size={20} />, word: 'Record' },
  file: { icon: <IconFiles size={20} />, word: 'File' },
}

/** Links to the view that edits the changed item. */
const ChangeLink = ({ subdomain, change: { kind, id, name } }: { subdomain: string; change: Change }) => {
  switch (kind) {
    case 'page':
      return (
        <TextLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: id }}>
          {name}
        </TextLink>
      )
    case 'part':
      return (
        <TextLink to="/spaces/$subdomain/parts/$partId" params={{ subdomain, partId: id }}>
          {name}
        </TextLink>
      )
    case 'record':
      return (
        <TextLink to="/spaces/$subdomain/data/$key" params={{ subdomain, key: id }}>
          {name}
        </TextLink>
      )
    case 'file':
      return (
        <TextLink to="/spaces/$subdomain/files" params={{ subdomain }}>
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
      <Rows label="Recent changes">
        {changes.map(change => (
          <Row
            key={`${change.kind} ${change.id}`}
            item={{ kind: change.kind, thing: change.id }}
            icon={KINDS[change.kind].icon}
            title={<ChangeLink subdomain={subdomain} change={change} />}
            text={
              <>
                {KINDS[change.kind].word} {change.is_new ? 'created' : 'updated'}{' '}
                <RelativeTime at={change.changed_at} />
              </>
            }
          />
        ))}
      </Rows>
    )}
  </Section>
)
