import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import locked from '../../shared/illustrations/locked.svg?raw'
import { api } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useRole } from '../use-role.ts'
import { useSpace } from '../use-space.ts'

interface OwnersOnlyProps {
  /** The title of the view. */
  title: string
  /** Says what only owners can do here. */
  text: string
  children: ReactNode
}

/** Shows a view of a space to its owners; to editors, why they can't see it, and whom to ask. */
export const OwnersOnly = ({ title, text, children }: OwnersOnlyProps) => {
  const { subdomain, name } = useSpace()
  if (useRole(subdomain) !== 'editor') return children
  return (
    <>
      <ViewTitle title={title} of={name} />
      <Empty
        picture={locked}
        title="For owners only"
        text={
          <>
            {text} <WhomToAsk subdomain={subdomain} />
          </>
        }
      >
        <ButtonLink to="/spaces/$subdomain" params={{ subdomain }} variant="default">
          Go to the overview
        </ButtonLink>
      </Empty>
    </>
  )
}

const list = new Intl.ListFormat('en', { type: 'disjunction' })

/** Names the owners of a space. */
export const WhomToAsk = ({ subdomain }: { subdomain: string }) => {
  const { data } = useQuery(api.participants.list.queryOptions({ subdomain }))
  const owners = data?.filter(({ role }) => role === 'owner').map(({ handle }) => handle)
  return owners && owners.length > 0 ? `Ask ${list.format(owners)}.` : 'Ask an owner.'
}
