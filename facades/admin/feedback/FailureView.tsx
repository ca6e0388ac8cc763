import { Anchor, Button, Code, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import {
  IconCloudOff,
  IconHourglass,
  IconLock,
  IconMapOff,
  IconPlugConnectedX,
  IconTool,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Failure, failureOf } from './failure.ts'
import { formatWait, useCountdown } from './use-countdown.ts'

interface Face {
  icon: ReactNode
  title: string
  text: ReactNode
}

const faceOf = (failure: Failure): Face => {
  switch (failure.kind) {
    case 'unreachable':
      return {
        icon: navigator.onLine ? <IconPlugConnectedX /> : <IconCloudOff />,
        title: failure.title,
        text: navigator.onLine
          ? 'It may be starting again. Try once more in a moment.'
          : 'This shows by itself as soon as you are connected again.',
      }
    case 'not-found':
      return {
        icon: <IconMapOff />,
        title: failure.title,
        text: 'It was never there, or somebody deleted it.',
      }
    case 'refused':
    case 'signed-out':
      return {
        icon: <IconLock />,
        title: failure.title,
        text: failure.detail ?? 'You have no permission to see this.',
      }
    case 'busy':
      return { icon: <IconHourglass />, title: failure.title, text: 'It goes on by itself in a moment.' }
    case 'invalid':
    case 'conflict':
    case 'fault':
      return {
        icon: <IconTool />,
        title: failure.title,
        text: failure.code === 'internal_error' ? <Reference failure={failure} /> : failure.detail,
      }
  }
}

const Reference = ({ failure }: { failure: Failure }) => (
  <>
    The fault is ours. If it stays, tell whoever runs this service: <Code>{failure.detail}</Code>
  </>
)

interface FailureViewProps {
  error: unknown
  retry?: (() => void) | undefined
  /** 1 where it stands in place of a whole view. */
  level?: 1 | 2
}

/** In place of a view that could not be read: what happened, and what to do about it. */
export const FailureView = ({ error, retry, level = 2 }: FailureViewProps) => {
  const failure = failureOf(error)
  const left = useCountdown(failure.retryAfter, error)
  const { icon, title, text } = faceOf(failure)
  const canRetry = retry && failure.kind !== 'not-found' && failure.kind !== 'refused'
  return (
    <Stack align="center" gap="sm" py="xl" role="alert" maw="32rem" mx="auto" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="gray" aria-hidden>
        {icon}
      </ThemeIcon>
      <Title order={level} size="h3">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      <Group justify="center">
        {canRetry && (
          <Button onClick={retry} disabled={left > 0}>
            {left > 0 ? `Try again in ${formatWait(left)}` : 'Try again'}
          </Button>
        )}
        {failure.kind === 'not-found' && (
          <Anchor component={Link} to="/">
            Go to your spaces
          </Anchor>
        )}
      </Group>
    </Stack>
  )
}
