import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Illustration } from './Illustration.tsx'

interface EmptyProps {
  /** One of `facades/shared/illustrations`. */
  picture: string
  title: string
  text: ReactNode
  /** The main action. */
  children?: ReactNode
  /** Heading level: 1 if it replaces a whole view. */
  level?: 1 | 2
}

/** Shown instead of an empty list: what the list is for, and the main action. */
export const Empty = ({ picture, title, text, children, level = 2 }: EmptyProps) => (
  <Stack align="center" gap="sm" py="xl" maw="30rem" mx="auto" ta="center">
    <Illustration svg={picture} />
    <Title order={level} size="h3">
      {title}
    </Title>
    <Text c="dimmed">{text}</Text>
    {children}
  </Stack>
)
