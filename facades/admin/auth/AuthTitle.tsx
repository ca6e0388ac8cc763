import { Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'

/**
 * The heading of a view before one is in, which also names the tab. A view that takes another's place without a new
 * address begins with it, for the keyboard and for screen readers.
 */
export const AuthTitle = ({
  title,
  children,
  takesOver = false,
}: {
  title: string
  /** What to know before beginning. */
  children?: ReactNode
  takesOver?: boolean
}) => {
  useDocumentTitle(`${title} · Space Site`)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesOver) heading.current?.focus()
  }, [takesOver])
  return (
    <Stack gap={6}>
      <Title order={1} size="h3" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
        {title}
      </Title>
      {children && (
        <Text c="dimmed" component="div">
          {children}
        </Text>
      )}
    </Stack>
  )
}
