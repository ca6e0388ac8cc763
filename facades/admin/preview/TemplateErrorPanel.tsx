import { Alert, Anchor, Code, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { positionText } from '../../shared/review-sentences.ts'
import { CorrectButton } from './CorrectButton.tsx'
import classes from './Preview.module.css'
import type { TemplateError } from './use-preview.ts'

/** What is wrong, by the kind of error. */
export const templateErrorTitles: Record<TemplateError['kind'], string> = {
  syntax: 'The template has an error',
  missing_part: 'A part is missing',
  timeout: 'The template takes too long',
  too_large: 'The result is too large',
  render: 'The template could not be rendered',
}

interface TemplateErrorPanelProps {
  error: TemplateError
  /** Moves the editor to the error; undefined if the error is in another page or part. */
  onGoTo?: (() => void) | undefined
  /** Replaces the misspelled name; undefined if the editor contains no misspelled name. */
  onCorrect?: (() => void) | undefined
}

/** What is wrong with a template, where, and how to fix it. */
export const TemplateErrorPanel = ({ error, onGoTo, onCorrect }: TemplateErrorPanelProps) => {
  const { kind, message, advice, line, excerpt, correction } = error
  const position = positionText(error)
  return (
    <Alert
      className={classes.error}
      color="red"
      radius={0}
      icon={<IconAlertTriangle aria-hidden />}
      title={templateErrorTitles[kind]}
      role="status"
    >
      <Text size="sm">{message}</Text>
      <Text size="sm" mt={4}>
        {onGoTo && line !== null ? (
          <Anchor component="button" type="button" size="sm" onClick={onGoTo} underline="always">
            {position}
          </Anchor>
        ) : (
          <b>{position}</b>
        )}
      </Text>
      {excerpt && (
        <Code block mt={6} className={classes.excerpt}>
          {excerpt}
        </Code>
      )}
      <Text size="sm" mt={6}>
        {advice} {correction && onCorrect && <CorrectButton correction={correction} onClick={onCorrect} />}
      </Text>
    </Alert>
  )
}
