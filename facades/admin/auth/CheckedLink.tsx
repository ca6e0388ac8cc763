import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import picture from '../../shared/illustrations/busy.svg?raw'
import { type Outputs, rpc } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Illustration } from '../ui/Empty.tsx'
import { failureOf } from '../ui/failure.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { dropToken, useToken } from './link-token.ts'

/** Props of a view that uses a link. */
export interface LinkUse {
  token: string
  /** Called when the link has been used. */
  onUsed: () => void
}

interface CheckedLinkProps {
  view: 'link' | 'set-up'
  /** Title while the link is checked. */
  title: string
  /** Explains a link that does not work, and what to do. */
  expired: string
  /** Renders the view for the link; returns null if the link has another purpose. */
  children: (link: Outputs['links']['look'], use: LinkUse) => ReactNode
}

/** Checks the link that opened the view, without using it up. If the link does not work, explains why. */
export const CheckedLink = ({ view, title, expired, children }: CheckedLinkProps) => {
  const { token, link, drop } = useAccountLink(view)
  if (token === null) return <InvalidLink {...MISSING_TOKEN} />
  if (link.isError && failureOf(link.error).code === 'link_not_found') return <InvalidLink text={expired} />
  const checking = (
    <Stack>
      <AuthTitle title={title} />
      <Loading rows={3} />
    </Stack>
  )
  return (
    <Loaded query={link} level={1} placeholder={checking}>
      {found => children(found, { token, onUsed: drop }) ?? <InvalidLink text={expired} />}
    </Loaded>
  )
}

/**
 * Returns the link's token, a query for the link's purpose and handle, and `drop`, which deletes the token from
 * memory. The query does not use up the link.
 */
export const useAccountLink = (view: 'link' | 'set-up') => {
  const token = useToken(view)
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => rpc.links.look.mutate({ token: token! }),
    enabled: token !== null,
    staleTime: 'static',
    gcTime: 0,
  })
  return { token, link, drop: () => dropToken(view) }
}

/** Shown for a link that is unknown, used or expired. */
export const InvalidLink = ({
  title = 'This link no longer works',
  text,
}: {
  title?: string
  text: string
}) => (
  <Stack>
    <Illustration svg={picture} />
    <AuthTitle title={title}>{text}</AuthTitle>
    <ButtonLink to="/sign-in" variant="light">
      Go to sign-in
    </ButtonLink>
  </Stack>
)

/** Props for a view that no longer has its link token. Tokens are kept in memory only, so a reload loses them. */
export const MISSING_TOKEN = {
  title: 'Open the link again',
  text: 'For your safety, the secret part of the link was removed from the address. Go back to the message with the link and open it again.',
}
