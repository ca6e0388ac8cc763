import { Alert, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconTerminal2 } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'

/**
 * Heading of a sign-in or sign-up view; also sets the document title. With `takesFocus`, the heading is focused on
 * mount. Use it for a step that replaces another step at the same URL.
 */
export const AuthTitle = ({
  title,
  children,
  takesFocus = false,
}: {
  title: string
  /** Introduction below the heading. */
  children?: ReactNode
  takesFocus?: boolean
}) => {
  useDocumentTitle(`${title} · Space Site`)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
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

/** Says how to create the first account after installing the service. */
export const NotSetUp = () => (
  <Alert icon={<IconTerminal2 aria-hidden />} title="No accounts yet">
    When the service starts, it prints a link for creating the first account. The link works for 30 minutes;
    restart the service to get a new one.
  </Alert>
)
