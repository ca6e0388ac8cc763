import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import picture from '../../shared/illustrations/search.svg?raw'
import { Illustration } from './Illustration.tsx'

interface NoMatchProps {
  /** Says that nothing was found. */
  children: ReactNode
  /** Omitted if another element announces the message. */
  role?: 'status'
}

/** Shown instead of a list in which a search found nothing. */
export const NoMatch = ({ children, ...props }: NoMatchProps) => (
  <Stack align="center" gap="sm" py="lg">
    <Illustration svg={picture} />
    <Text c="dimmed" ta="center" {...props}>
      {children}
    </Text>
  </Stack>
)
