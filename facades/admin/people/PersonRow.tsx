import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'
import { Monogram } from '../icon/Monogram.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Row } from '../ui/Rows.tsx'

export type Person = Outputs['follows']['list']['people'][number]

interface PersonRowProps {
  person: Person
  /** Precedes the time in the row, for example "Followed". */
  verb: string
  /** A note about this person, such as the reason for a suspension. */
  note?: string
  /** Action buttons. */
  children: ReactNode
}

/** A person in a list, with a link to the profile. */
export const PersonRow = ({ person, verb, note, children }: PersonRowProps) => {
  const name = person.display_name ?? person.handle
  return (
    <Row
      icon={<Monogram src={person.icon_url} name={name} size={40} />}
      title={
        <Anchor href={person.profile_url} target="_blank" rel="noopener">
          <bdi>{name}</bdi>
        </Anchor>
      }
      text={
        <>
          @{person.handle} · {verb} <RelativeTime at={person.since} />
          {note !== undefined && (
            <div dir="auto" style={{ whiteSpace: 'pre-wrap' }}>
              {note}
            </div>
          )}
        </>
      }
    >
      {children}
    </Row>
  )
}
