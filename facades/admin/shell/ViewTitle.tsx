import { Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

interface ViewTitleProps {
  title: string
  /** Text that is appended to the document title, such as the name of the space. */
  of?: string
  text?: ReactNode
  /** Action buttons. */
  children?: ReactNode
}

/** The heading of a view; it also sets the document title. */
export const ViewTitle = ({ title, of, text, children }: ViewTitleProps) => {
  useDocumentTitle([title, of, 'Space Site'].filter(Boolean).join(' · '))
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <div style={{ minWidth: 0, flex: '1 1 16rem' }}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {text && (
          <Text c="dimmed" mt={4}>
            {text}
          </Text>
        )}
      </div>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  )
}
