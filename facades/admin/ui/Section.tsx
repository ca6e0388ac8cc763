import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Section.module.css'

interface SectionProps {
  title: string
  text: ReactNode
  /** A button next to the heading. */
  action?: ReactNode
  children?: ReactNode
}

/** A section of a view, with its own heading. */
export const Section = ({ title, text, action, children }: SectionProps) => {
  const id = useId()
  return (
    <Paper
      component="section"
      withBorder
      radius="lg"
      className={classes.section}
      data-section
      aria-labelledby={id}
    >
      <Group justify="space-between" align="flex-start" gap="sm" mb={children ? 'md' : 0}>
        <div style={{ minWidth: 0, flex: '1 1 14rem' }}>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Text c="dimmed" size="sm" mt={4} component="div">
            {text}
          </Text>
        </div>
        {action}
      </Group>
      {children}
    </Paper>
  )
}

interface DangerButtonProps {
  label: string
  icon?: ReactNode
  disabled?: boolean
  onClick: () => void
}

/** A button that opens the confirmation dialog for an action that cannot be undone, or that others suffer from. */
export const DangerButton = ({ label, icon, ...props }: DangerButtonProps) => (
  <Button variant="outline" color="red" c="var(--mantine-color-error)" leftSection={icon} {...props}>
    {label}
  </Button>
)
