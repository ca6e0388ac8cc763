import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyProps {
  icon: ReactNode
  title: string
  text: ReactNode
  /** The one thing to do. */
  children?: ReactNode
  /** 1 where it stands in place of a whole view. */
  level?: 1 | 2
}

/** In place of a list with nothing in it: what it is for, and the one thing to do. */
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
