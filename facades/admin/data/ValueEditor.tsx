import { Alert, Button, Group, Input, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconBraces, IconForms, IconPalette, IconTableOff } from '@tabler/icons-react'
import { lazy, type Ref, Suspense, useImperativeHandle, useMemo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { rules } from '../../../routers/api/rules.ts'
import { pointerOf } from '../../shared/check-json.ts'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import type { EditorHandle } from '../editor/code-editor-props.ts'
import { readForm } from '../form/json-form.ts'
import { type Look, readLook } from '../look/read-look.ts'
import { readTable } from '../table/json-table.ts'
import { Loading } from '../ui/Loading.tsx'
import { formatBytes, formatNumber } from '../ui/numbers.ts'
import css from './data.module.css'
import { JsonProblems } from './JsonProblems.tsx'
import { formatJson, offsetInFormatted } from './json.ts'
import type { ValueShape } from './record-shape.ts'
import { type JsonText, positionAt, readJsonText } from './use-json-text.ts'

/** What the record editor can do with the value editor. `goTo` and `openJson` switch to the JSON
 * view. */
export type ValueHandle = Pick<EditorHandle, 'focus' | 'goTo'> & {
  /** Shows the value at a JSON Pointer, or the place at an offset in the stored value. */
  openJson: (place: string) => void
}

interface ValueEditorProps {
  recordKey: string
  shape: ValueShape
  onShape: (shape: ValueShape) => void
  /** Called when the person chooses how to edit the value. */
  onChooseShape: (shape: ValueShape) => void
  text: string
  onChange: (text: string) => void
  json: JsonText
  onSave: () => void
  /** The service's error about the value. */
  error?: string | undefined
  ref: Ref<ValueHandle>
  /** Called when the editor's code has loaded. */
  onLoad: () => void
  onGoTo: (line: number, column: number) => void
}

/** Edits a record's value as JSON, as a table or as a form, and shows its size and problems. */
export const ValueEditor = ({
  recordKey,
  shape,
  onShape,
  onChooseShape,
  text,
  onChange,
  json,
  onSave,
  error,
  ref,
  onLoad,
  onGoTo,
}: ValueEditorProps) => {
  const { value_max_bytes: max } = rules.data
  const isTooLarge = json.size !== null && json.size > max
  const problem = isTooLarge ? `The value is ${formatNumber(json.size! - max)} bytes too large.` : error
  const look = useMemo(() => readLook(text), [text])
  const editor = useRef<EditorHandle>(null)
  const region = useRef<HTMLDivElement>(null)
  const goTo = (line: number, column: number) => {
    flushSync(() => onShape('json'))
    editor.current?.goTo(line, column)
  }
  const offsetOf = (place: string) => {
    const { check, compact } = readJsonText(text)
    return /^\d/.test(place)
      ? offsetInFormatted(compact ?? text, text, Number(place))
      : (check.offsets.get(place) ?? 0)
  }
  const openJson = (place: string) => {
    const { line, column } = positionAt(text, offsetOf(place))
    goTo(line, column)
  }
  useImperativeHandle(ref, () => ({
    focus: () => (shape === 'json' ? editor : region).current?.focus(),
    goTo,
    openJson,
  }))
  return (
    <div ref={region} tabIndex={-1} className={css.value}>
      <Group justify="space-between" align="end" mb={4} gap="xs">
        <Input.Label component="div">{shape === 'look' ? '' : 'Value'}</Input.Label>
        <SegmentedControl
          size="xs"
          aria-label="Edit the value as a table, as a form or as JSON"
          value={shape}
          onChange={onChooseShape}
          data={[
            ...(look || shape === 'look' ? [{ value: 'look' as const, label: 'Look' }] : []),
            { value: 'table', label: 'Table' },
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      </Group>
      {shape === 'table' && (
        <ValueTable
          text={text}
          onChange={onChange}
          onUndo={isRedo => editor.current?.undo(isRedo)}
          onGoTo={openJson}
          error={problem}
        />
      )}
      {shape === 'look' && (
        <ValueLook
          recordKey={recordKey}
          look={look}
          text={text}
          json={json}
          onChange={onChange}
          onSave={onSave}
          onGoTo={openJson}
          error={problem}
        />
      )}
      {shape === 'form' && <ValueForm text={text} onChange={onChange} onGoTo={openJson} error={problem} />}
      {/* Stays mounted while another view is shown, because undo needs this editor's history. */}
      <div className={css.editor} hidden={shape !== 'json'}>
        <CodeEditor
          ref={editor}
          value={text}
          onChange={onChange}
          language="json"
          label="Value"
          isLabelHidden
          diagnostics={json.diagnostics}
          onSave={onSave}
          onLoad={onLoad}
          error={problem}
        />
      </div>
      {(shape !== 'look' || isTooLarge) && (
        <Group justify="space-between" mt="xs" gap="xs">
          <Text size="sm" c={isTooLarge ? 'var(--mantine-color-error)' : 'dimmed'}>
            {json.size === null ? 'Not valid JSON yet' : `${formatBytes(json.size)} of ${formatBytes(max)}`}.
            Saved without spaces and line breaks.
          </Text>
          {shape === 'json' && (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconBraces size={16} aria-hidden />}
              disabled={!json.check.isJson}
              onClick={() => onChange(formatJson(text))}
            >
              Format
            </Button>
          )}
        </Group>
      )}
      <JsonProblems diagnostics={json.diagnostics} onGoTo={onGoTo} />
    </div>
  )
}

const LookEditor = lazy(() => import('../look/LookEditor.tsx'))

interface ValueLookProps {
  recordKey: string
  /** Null if the value is no look any more. */
  look: Look | null
  text: string
  json: JsonText
  onChange: (text: string) => void
  onSave: () => void
  /** Shows the value at a JSON Pointer in the JSON view. */
  onGoTo: (pointer: string) => void
  error?: string | undefined
}

/** A record's value as the look of the site, or the reason why it can't be shown as one. */
const ValueLook = ({ recordKey, look, text, json, onChange, onSave, onGoTo, error }: ValueLookProps) =>
  look ? (
    <>
      <Suspense fallback={<Loading rows={3} height={96} />}>
        <LookEditor
          recordKey={recordKey}
          look={look}
          text={text}
          json={json.compact}
          onChange={onChange}
          onSave={onSave}
        />
      </Suspense>
      {error && (
        <Input.Error mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </>
  ) : (
    <Alert
      color="gray"
      icon={<IconPalette aria-hidden />}
      title="A look is an object whose “colors” are written like #a63c1a."
      role="status"
    >
      <Button size="compact-sm" variant="default" onClick={() => onGoTo('')}>
        Edit as JSON
      </Button>
    </Alert>
  )

const RecordForm = lazy(() => import('../form/RecordForm.tsx'))

interface ValueFormProps {
  text: string
  onChange: (text: string) => void
  /** Shows the value at a JSON Pointer in the JSON view. */
  onGoTo: (pointer: string) => void
  error?: string | undefined
}

/** A record's value as a form, or the reason why it can't be shown as one. */
export const ValueForm = ({ text, onChange, onGoTo, error }: ValueFormProps) => {
  const form = useMemo(() => readForm(text), [text])
  if (typeof form === 'string')
    return (
      <Alert color="gray" icon={<IconForms aria-hidden />} title={form} role="status">
        <Button size="compact-sm" variant="default" onClick={() => onGoTo('')}>
          Edit as JSON
        </Button>
      </Alert>
    )
  return (
    <div className={css.form} data-rows>
      <Suspense fallback={<Loading rows={3} height={56} />}>
        <RecordForm
          form={form}
          text={text}
          onChange={onChange}
          onOpenJson={path => onGoTo(pointerOf(path))}
        />
      </Suspense>
      {error && (
        <Input.Error mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}

const RecordTable = lazy(() => import('../table/RecordTable.tsx'))

interface ValueTableProps {
  text: string
  onChange: (text: string) => void
  onUndo: (isRedo: boolean) => void
  /** Shows the value at a JSON Pointer in the JSON view. */
  onGoTo: (pointer: string) => void
  error?: string | undefined
}

/** A record's value as a table, or the reason why it can't be shown as one. */
export const ValueTable = ({ text, onChange, onUndo, onGoTo, error }: ValueTableProps) => {
  const table = useMemo(() => readTable(text), [text])
  if (typeof table === 'string')
    return (
      <Alert color="gray" icon={<IconTableOff aria-hidden />} title={table} role="status">
        <Stack gap="xs" align="start">
          {/^\s*\{\s*\}\s*$/.test(text) ? (
            <Button size="compact-sm" onClick={() => onChange('[]')}>
              Start an empty table
            </Button>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => onGoTo('')}>
              Edit as JSON
            </Button>
          )}
        </Stack>
      </Alert>
    )
  return (
    <div data-rows>
      <Suspense fallback={<Loading rows={1} height={320} />}>
        <RecordTable
          table={table}
          onChange={onChange}
          onUndo={onUndo}
          onOpenJson={(row, column) => onGoTo(pointerOf([row, column]))}
        />
      </Suspense>
      {error && (
        <Input.Error mt={4} role="alert">
          {error}
        </Input.Error>
      )}
    </div>
  )
}
