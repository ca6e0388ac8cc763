import { Group, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './ViewTitle.module.css'

interface ViewTitleProps {
  title: string
  /** Text that is appended to the document title, such as the name of the space. */
  of?: string
  text?: ReactNode
  /** An icon or picture before the title. */
  picture?: ReactNode
  /** Action buttons. */
  children?: ReactNode
  /** Whether the buttons stay in view when the view is scrolled, as in editors. */
  isSticky?: boolean
}

/** The heading of a view; it also sets the document title. */
export const ViewTitle = ({ title, of, text, picture, children, isSticky = false }: ViewTitleProps) => {
  useDocumentTitle([title, of, 'Space Site'].filter(Boolean).join(' · '))
  return (
    <div className={classes.bar} data-sticky={isSticky || undefined}>
      <div className={classes.title}>
        {picture}
        <div className={classes.text}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {text && (
            <Text c="dimmed" mt={4}>
              {text}
            </Text>
          )}
        </div>
      </div>
      {children && (
        <Group gap="xs" className={classes.actions}>
          {children}
        </Group>
      )}
    </div>
  )
}
