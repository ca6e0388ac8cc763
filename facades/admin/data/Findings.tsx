import { Text, UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import type { Diagnostic } from '../editor/CodeEditor.tsx'
import css from './data.module.css'

interface FindingsProps {
  diagnostics: Diagnostic[]
  /** Without it, places are told and cannot be gone to. */
  onGoTo?: (line: number, column: number) => void
}

/** As many as are listed; the others are marked in the text. */
const MOST = 5

/** What keeps the text from being saved, and what saving would change of its meaning; each leads to its place. */
export const Findings = ({ diagnostics, onGoTo }: FindingsProps) => {
  const errorsFirst = diagnostics.toSorted(
    (a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'),
  )
  return (
    <div role="status">
      {diagnostics.length > 0 && (
        <ul className={css.findings}>
          {errorsFirst.slice(0, MOST).map(({ line, column, message, severity }) => (
            <li key={`${line}:${column}${message}`}>
              <UnstyledButton
                className={css.finding}
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
          {diagnostics.length > MOST && (
            <li>
              <Text size="sm" c="dimmed" pl="xs">
                {diagnostics.length - MOST} more are marked in the text.
              </Text>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
