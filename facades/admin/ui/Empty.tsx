import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import picture from '../../shared/illustrations/search.svg?raw'
import classes from './Illustration.module.css'

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

/** A decorative picture from `facades/shared/illustrations`, imported with `?raw`. */
export const Illustration = ({ svg }: { svg: string }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own file, which must be inline to use the palette
  <div aria-hidden className={classes.illustration} dangerouslySetInnerHTML={{ __html: svg }} />
)
