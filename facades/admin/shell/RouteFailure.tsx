import { Center } from '@mantine/core'
import { useDocumentTitle, useWindowEvent } from '@mantine/hooks'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import picture from '../../shared/illustrations/not-found.svg?raw'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FailureView } from '../ui/FailureView.tsx'
import { failureOf, ViewLoadError } from '../ui/failure.ts'
import { useSpace } from '../use-space.ts'

/** Shown instead of a view that failed to load or render. */
export const RouteFailure = ({ error, reset }: ErrorComponentProps) => {
  useDocumentTitle(`${failureOf(error).title} · Space Site`)
  const router = useRouter()
  const retry = () => {
    // Browsers cache a failed module import until the document is reloaded.
    if (error instanceof ViewLoadError) return globalThis.location.reload()
    reset()
    void router.invalidate()
  }
  useWindowEvent('online', retry)
  return (
    <Center mih="60dvh">
      <FailureView level={1} error={error} retry={retry} />
    </Center>
  )
}

interface MissingProps {
  /** Title of the document. */
  title: string
  text: string
  /** A link to a view where the person can continue. */
  children: ReactNode
}

const Missing = ({ title, text, children }: MissingProps) => {
  useDocumentTitle(title)
  return (
    <Center mih="60dvh">
      <Empty level={1} picture={picture} title="Page not found" text={text}>
        {children}
      </Empty>
    </Center>
  )
}

/** Shown inside the shell for an unknown URL. */
export const NotFound = () => (
  <Missing
    title="Page not found · Space Site"
    text="The address may be wrong, or the page may have been deleted."
  >
    <ButtonLink to="/">Go to your spaces</ButtonLink>
  </Missing>
)

/** Shown for an unknown URL of a space, beside the menu of the space. */
export const NotFoundInSpace = () => {
  const { subdomain, name } = useSpace()
  return (
    <Missing
      title={`Page not found · ${name} · Space Site`}
      text="The address may be wrong. Everything in this space can be opened from its menu and its overview."
    >
      <ButtonLink to="/spaces/$subdomain" params={{ subdomain }}>
        Go to the overview
      </ButtonLink>
    </Missing>
  )
}

/** Shown instead of everything, when the shell itself failed. */
export const RootFailure = (props: ErrorComponentProps) => (
  <main id="main">
    <RouteFailure {...props} />
  </main>
)

/** Shown for an unknown URL if the shell is not shown. */
export const RootNotFound = () => (
  <main id="main">
    <NotFound />
  </main>
)
