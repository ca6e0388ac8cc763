import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { InvalidLink, MISSING_TOKEN } from './InvalidLink.tsx'
import { useAccountLink } from './use-account-link.ts'

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
  if (link.isPending)
    return (
      <Stack>
        <AuthTitle title={title} />
        <Loading rows={3} />
      </Stack>
    )
  if (link.isError)
    return failureOf(link.error).code === 'link_not_found' ? (
      <InvalidLink text={expired} />
    ) : (
      <FailureView level={1} error={link.error} retry={() => void link.refetch()} />
    )
  return children(link.data, { token, onUsed: drop }) ?? <InvalidLink text={expired} />
}
