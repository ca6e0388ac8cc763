import { Anchor, Button, Code, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
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
import { useOfflineNotice } from './offline-notices.ts'
import { formatWait, useCountdown } from './use-countdown.ts'

interface Appearance {
  icon: ReactNode
  title: string
  text: ReactNode
}

const appearanceOf = (failure: Failure): Appearance => {
  switch (failure.kind) {
    case 'unreachable':
      return {
        icon: navigator.onLine ? <IconPlugConnectedX /> : <IconCloudOff />,
        title: failure.title,
        text: navigator.onLine
          ? 'It may be restarting. Try again in a moment.'
          : 'This view loads as soon as you are connected again.',
      }
    case 'not-found':
      return {
        icon: <IconMapOff />,
        title: failure.title,
        text:
          failure.code === 'space_not_found'
            ? 'It may have been deleted, or you may not be a participant.'
            : 'It may have been deleted, or the address may be wrong.',
      }
    case 'refused':
    case 'signed-out':
      return {
        icon: <IconLock />,
        title: failure.title,
        text: failure.detail ?? 'You don’t have permission to see this.',
      }
    case 'busy':
      return { icon: <IconHourglass />, title: failure.title, text: 'You can try again in a moment.' }
    case 'invalid':
    case 'conflict':
    case 'fault':
      return {
        icon: <IconTool />,
        title: failure.title,
        text:
          failure.code === 'internal_error' ? (
            <Reference failure={failure} />
          ) : (
            [failure.detail, ...failure.fields.map(({ message }) => message)].filter(Boolean).join(' ')
          ),
      }
  }
}

const Reference = ({ failure }: { failure: Failure }) => (
  <>
    This is an error on our side. If it keeps happening, send this to the operator:{' '}
    <Code>{failure.detail}</Code>
  </>
)

interface FailureViewProps {
  error: unknown
  retry?: (() => void) | undefined
  /** Heading level: 1 if it replaces a whole view. */
  level?: 1 | 2
}

/** Shown instead of a view that could not be loaded: what happened, and what to do. */
export const FailureView = ({ error, retry, level = 2 }: FailureViewProps) => {
  const failure = failureOf(error)
  const left = useCountdown(failure.retryAfter, error)
  const { online } = useNetwork()
  useOfflineNotice(failure.kind === 'unreachable' && !online)
  const { icon, title, text } = appearanceOf(failure)
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
