import { Anchor, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import busy from '../../shared/illustrations/busy.svg?raw'
import fault from '../../shared/illustrations/fault.svg?raw'
import locked from '../../shared/illustrations/locked.svg?raw'
import notFound from '../../shared/illustrations/not-found.svg?raw'
import offline from '../../shared/illustrations/offline.svg?raw'
import { Illustration } from './Empty.tsx'
import { type Failure, failureOf } from './failure.ts'
import { useOfflineNotice } from './offline.tsx'
import { formatWait, useCountdown } from './use-countdown.ts'

interface Appearance {
  picture: string
  title: string
  text: ReactNode
}

const appearanceOf = (failure: Failure): Appearance => {
  switch (failure.kind) {
    case 'unreachable':
      return {
        picture: offline,
        title: failure.title,
        text: navigator.onLine
          ? 'It may be restarting. Try again in a moment.'
          : 'This view loads as soon as you are connected again.',
      }
    case 'not-found':
      return {
        picture: notFound,
        title: failure.title,
        text:
          failure.code === 'space_not_found'
            ? 'It may have been deleted, or you may not be a participant.'
            : 'It may have been deleted, or the address may be wrong.',
      }
    case 'refused':
    case 'signed-out':
      return {
        picture: locked,
        title: failure.title,
        text: failure.detail ?? 'You don’t have permission to see this.',
      }
    case 'busy':
      return { picture: busy, title: failure.title, text: 'You can try again in a moment.' }
    case 'invalid':
    case 'conflict':
    case 'fault':
      return {
        picture: fault,
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
  const { picture, title, text } = appearanceOf(failure)
  const canRetry = retry && failure.kind !== 'not-found' && failure.kind !== 'refused'
  return (
    <Stack align="center" gap="sm" py="xl" role="alert" maw="32rem" mx="auto" ta="center">
      <Illustration svg={picture} />
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
