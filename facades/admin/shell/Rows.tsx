import { Box, Group, Text, ThemeIcon } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Rows.module.css'

/** A list with a line between the rows. */
export const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul className={classes.rows} aria-label={label}>
    {children}
  </ul>
)

interface RowProps {
  icon: ReactNode
  title: ReactNode
  text: ReactNode
  /** Action buttons. */
  children?: ReactNode
}

/** One row of `Rows`. */
export const Row = ({ icon, title, text, children }: RowProps) => (
  <li>
    <Group justify="space-between" gap="sm" py="sm">
      <Group gap="sm" wrap="nowrap" style={{ flex: '1 1 12rem', minWidth: 0 }}>
        <ThemeIcon variant="light" size={36} radius="md" aria-hidden>
          {icon}
        </ThemeIcon>
        <Box style={{ minWidth: 0 }}>
          <Text fw={600} component="div">
            {title}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {text}
          </Text>
        </Box>
      </Group>
      <Group gap="xs" ml="auto">
        {children}
      </Group>
    </Group>
  </li>
)
