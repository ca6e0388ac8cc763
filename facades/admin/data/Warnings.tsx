import { Badge, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import css from './data.module.css'
import type { Inspection } from './use-inspection.ts'

interface WarningsProps {
  warnings: Inspection['warnings']
  /** Goes to the element in the text. */
  onGoTo: (pointer: string) => void
}

/** As many warnings as are derived at most. */
const MOST = 100

/** Elements that are unlike most of their siblings. They may be meant so. */
export const Warnings = ({ warnings, onGoTo }: WarningsProps) => (
  <Stack gap="xs">
    {warnings.length === 0 ? (
      <Text size="sm" c="dimmed">
        All elements of each list look alike.
      </Text>
    ) : (
      <>
        <Text size="sm" c="dimmed">
          These elements are unlike most others of their list. They can be saved all the same.
        </Text>
        <ul className={css.warnings}>
          {warnings.map(({ path, kind, message }) => (
            <li key={path + kind + message}>
              <UnstyledButton className={css.warning} onClick={() => onGoTo(path)}>
                <Badge
                  variant="light"
                  color="yellow"
                  tt="none"
                  radius="sm"
                  leftSection={<IconAlertTriangle size={12} aria-hidden />}
                  className={css.badge}
                >
                  {path}
                </Badge>
                <Text span size="sm">
                  {message}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        {warnings.length >= MOST && (
          <Text size="sm" c="dimmed">
            There may be more.
          </Text>
        )}
      </>
    )}
  </Stack>
)
