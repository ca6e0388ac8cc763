import { Alert, Anchor, Code, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from './Preview.module.css'
import type { TemplateFault } from './use-preview.ts'

const TITLES: Record<TemplateFault['kind'], string> = {
  syntax: 'There is a mistake in the template',
  missing_part: 'A part is missing',
  timeout: 'The template takes too long',
  too_large: 'The result grows too large',
  render: 'The template could not be put together',
}

interface FaultPanelProps {
  fault: TemplateFault
  /** Goes to the place, where that is in the editor; undefined where it is in another body. */
  onGo?: (() => void) | undefined
}

/** What is wrong with a template, where, and how to mend it. */
export const FaultPanel = ({ fault, onGo }: FaultPanelProps) => {
  const { kind, message, advice, where, line, column, excerpt } = fault
  const body = where.body === 'part' ? `Part ${where.name}` : 'Page'
  const place = line === null || column === null ? body : `${body}, line ${line}, column ${column}`
  return (
    <Alert
      className={classes.fault}
      color="red"
      radius={0}
      icon={<IconAlertTriangle aria-hidden />}
      title={TITLES[kind]}
      role="status"
    >
      <Text size="sm">{message}</Text>
      <Text size="sm" mt={4}>
        {onGo && line !== null ? (
          <Anchor component="button" type="button" size="sm" onClick={onGo} underline="always">
            {place}
          </Anchor>
        ) : (
          <b>{place}</b>
        )}
      </Text>
      {excerpt && (
        <Code block mt={6} tabIndex={0} role="region" aria-label="The line">
          {excerpt}
        </Code>
      )}
      <Text size="sm" mt={6}>
        {advice}
      </Text>
    </Alert>
  )
}
