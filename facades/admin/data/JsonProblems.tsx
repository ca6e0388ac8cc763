import { Text, UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { Diagnostic } from '../editor/code-editor-props.ts'
import css from './data.module.css'

interface JsonProblemsProps {
  diagnostics: Diagnostic[]
  /** Moves the cursor to a position. If omitted, problems are listed but not clickable. */
  onGoTo?: (line: number, column: number) => void
}

/** Number of problems listed; the editor underlines all of them. */
const MAX_LISTED = 5

/** The errors that prevent saving, and warnings about values that saving would change. */
export const JsonProblems = ({ diagnostics, onGoTo }: JsonProblemsProps) => {
  const errorsFirst = diagnostics.toSorted(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  )
  return (
    <div role="status">
      {diagnostics.length > 0 && (
        <ul className={css.problems}>
          {errorsFirst.slice(0, MAX_LISTED).map(({ line, column, message, severity }) => (
            <li key={`${line}:${column}${message}`}>
              <UnstyledButton
                className={css.problem}
                data-severity={severity}
                {...(onGoTo ? { onClick: () => onGoTo(line, column) } : { component: 'div' as const })}
              >
                {severity === 'error' ? (
                  <IconAlertCircle size={16} aria-label="Error" />
                ) : (
                  <IconAlertTriangle size={16} aria-label="Warning" />
                )}
                <Text span size="sm">
                  Line {line}, column {column}: {message}
                </Text>
              </UnstyledButton>
            </li>
          ))}
          {diagnostics.length > MAX_LISTED && (
            <li>
              <Text size="sm" c="dimmed" pl="xs">
                {diagnostics.length - MAX_LISTED} more are marked in the text.
              </Text>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
