import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyProps {
  icon: ReactNode
  title: string
  text: ReactNode
  /** The main action. */
  children?: ReactNode
  /** Heading level: 1 if it replaces a whole view. */
  level?: 1 | 2
}

/** Shown instead of an empty list: what the list is for, and the main action. */
export const Empty = ({ icon, title, text, children, level = 2 }: EmptyProps) => (
  <Stack align="center" gap="sm" py="xl" maw="30rem" mx="auto" ta="center">
    <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
      {icon}
    </ThemeIcon>
    <Title order={level} size="h3">
      {title}
    </Title>
    <Text c="dimmed">{text}</Text>
    {children}
  </Stack>
)
