import { Center } from '@mantine/core'
import { useDocumentTitle, useWindowEvent } from '@mantine/hooks'
import { IconMapOff } from '@tabler/icons-react'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf, ViewLoadError } from '../feedback/failure.ts'
import { ButtonLink } from './ButtonLink.tsx'

/** In place of a view that broke or could not be read. */
export const RouteFailure = ({ error, reset }: ErrorComponentProps) => {
  useDocumentTitle(`${failureOf(error).title} · Space Site`)
  const router = useRouter()
  const retry = () => {
    // Browsers remember that a file could not be loaded, for as long as the document is there.
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

/** In place of a view that does not exist. */
export const NotFound = () => (
  <Center mih="60dvh">
    <Empty
      level={1}
      icon={<IconMapOff />}
      title="There is nothing here"
      text="The address may be mistyped, or what was here is gone."
    >
      <ButtonLink to="/">Go to your spaces</ButtonLink>
    </Empty>
  </Center>
)

/** In place of everything, the shell too. */
export const RootFailure = (props: ErrorComponentProps) => (
  <main id="main">
    <RouteFailure {...props} />
  </main>
)

/** The same for an address that is none of the screen's. */
export const RootNotFound = () => (
  <main id="main">
    <NotFound />
  </main>
)
