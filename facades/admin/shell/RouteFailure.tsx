import { Center } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconMapOff } from '@tabler/icons-react'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { Empty } from '../feedback/Empty.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { ButtonLink } from './ButtonLink.tsx'

/** In place of a view that broke or could not be read. */
export const RouteFailure = ({ error, reset }: ErrorComponentProps) => {
  useDocumentTitle(`${failureOf(error).title} · Space Site`)
  const router = useRouter()
  return (
    <Center mih="60dvh">
      <FailureView
        level={1}
        error={error}
        retry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Center>
  )
}

/** In place of a view that does not exist. */
export const NothingHere = () => (
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
