import { Button, Group, Text } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import type { Ref } from 'react'
import { rules } from '../../../routers/core/rules.ts'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import type { EditorHandle } from '../editor/code-editor-props.ts'
import { formatBytes } from '../feedback/format-bytes.ts'
import css from './data.module.css'
import { formatJson } from './format-json.ts'
import { JsonProblems } from './JsonProblems.tsx'
import type { JsonText } from './use-json-text.ts'

interface ValueEditorProps {
  text: string
  onChange: (text: string) => void
  json: JsonText
  onSave: () => void
  /** The service's error about the value. */
  error?: string | undefined
  ref: Ref<EditorHandle>
  onGoTo: (line: number, column: number) => void
}

const number = new Intl.NumberFormat('en')

/** The editor of a record's value, with its size and problems. */
export const ValueEditor = ({ text, onChange, json, onSave, error, ref, onGoTo }: ValueEditorProps) => {
  const { value_max_bytes: max } = rules.data
  const isTooLarge = json.size !== null && json.size > max
  return (
    <div>
      <div className={css.editor}>
        <CodeEditor
          ref={ref}
          value={text}
          onChange={onChange}
          language="json"
          label="Value"
          diagnostics={json.diagnostics}
          onSave={onSave}
          error={isTooLarge ? `The value is ${number.format(json.size! - max)} bytes too large.` : error}
        />
      </div>
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="sm" c={isTooLarge ? 'var(--mantine-color-error)' : 'dimmed'}>
          {json.size === null ? 'Not valid JSON yet' : `${formatBytes(json.size)} of ${formatBytes(max)}`}.
          Saved without spaces and line breaks.
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconBraces size={16} aria-hidden />}
          disabled={!json.check.isJson}
          onClick={() => onChange(formatJson(text))}
        >
          Format
        </Button>
      </Group>
      <JsonProblems diagnostics={json.diagnostics} onGoTo={onGoTo} />
    </div>
  )
}
