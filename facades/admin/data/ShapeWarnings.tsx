import { Badge, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { shownText } from '../../../routers/api/shown-text.ts'
import css from './data.module.css'
import type { Inspection } from './use-inspection.ts'

interface ShapeWarningsProps {
  warnings: Inspection['warnings']
  /** Moves the editor to the element at a JSON Pointer. */
  onGoTo: (pointer: string) => void
}

/** The service reports at most this many warnings. */
const MAX_WARNINGS = 100

/** Lists the elements whose shape differs from most others in their list. The differences may be intended. */
export const ShapeWarnings = ({ warnings, onGoTo }: ShapeWarningsProps) => (
  <Stack gap="xs">
    {warnings.length === 0 ? (
      <Text size="sm" c="dimmed">
        All elements of each list have the same shape.
      </Text>
    ) : (
      <>
        <Text size="sm" c="dimmed">
          These elements differ from most others in their list. You can save them anyway.
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
                  {shownText(path)}
                </Badge>
                <Text span size="sm">
                  {shownText(message)}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        {warnings.length >= MAX_WARNINGS && (
          <Text size="sm" c="dimmed">
            There may be more.
          </Text>
        )}
      </>
    )}
  </Stack>
)
