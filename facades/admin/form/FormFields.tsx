import { Button, Checkbox, Fieldset, Stack, Textarea } from '@mantine/core'
import type { JSONPath } from 'jsonc-parser'
import { useEffect, useRef, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { cellOf, kindOf, shownCell } from '../table/cell.ts'
import type { FormField } from './json-form.ts'

interface FieldActions {
  /** @param json the JSON of the new value; undefined to remove the key */
  onEdit: (path: JSONPath, json: string | undefined) => void
  onOpenJson: (path: JSONPath) => void
}

/** How long after the last key press a change is written to the value, in ms. */
const DEBOUNCE = 300

interface ValueFieldProps extends FieldActions {
  path: JSONPath
  label: string
  json: string | undefined
}

/** A text field for a string, a number, null or a missing value. An edit keeps the type of the value where possible. */
const TextField = ({ path, label, json, onEdit }: ValueFieldProps) => {
  const [typed, setTyped] = useState<string | null>(null)
  /** The value before the edit. */
  const before = useRef(json)
  const latest = useRef({ path, json, typed, onEdit })
  latest.current = { path, json, typed, onEdit }
  const write = () => {
    const { path, json, typed, onEdit } = latest.current
    if (typed === null) return
    const edited = cellOf(typed, before.current, undefined)
    if (edited !== json) onEdit(path, edited)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the typed text changes
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(write, DEBOUNCE)
    return () => clearTimeout(timer)
  }, [typed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the field disappears, with the latest text
  useEffect(() => write, [])
  const kind = json === undefined ? 'missing' : kindOf(json)
  return (
    <Textarea
      label={label}
      autosize
      minRows={1}
      maxRows={12}
      value={typed ?? shownCell(json)}
      placeholder={kind === 'null' ? 'null' : kind === 'missing' ? 'No value' : ''}
      spellCheck={kind === 'text'}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      onChange={event => {
        if (typed === null) before.current = json
        setTyped(event.currentTarget.value)
      }}
      // Write the change before the save shortcut reaches the window.
      onKeyDown={event => (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's' && write()}
      onBlur={() => {
        write()
        setTyped(null)
      }}
    />
  )
}

const ValueField = (props: ValueFieldProps) => {
  const { path, label, json, onEdit, onOpenJson } = props
  const kind = json === undefined ? 'null' : kindOf(json)
  if (kind === 'boolean')
    return (
      <Checkbox
        label={label}
        checked={json === 'true'}
        onChange={event => onEdit(path, event.currentTarget.checked ? 'true' : 'false')}
      />
    )
  if (kind === 'nested')
    return (
      <div>
        <Button variant="default" size="compact-sm" onClick={() => onOpenJson(path)}>
          Edit {label} as JSON
        </Button>
      </div>
    )
  return <TextField {...props} />
}

/** The fields of an object. Each nested object is a group of fields. */
export const FormFields = ({ fields, ...actions }: { fields: readonly FormField[] } & FieldActions) => (
  <Stack gap="sm">
    {fields.map(field => {
      const label = shownText(field.label) || '(empty key)'
      return field.kind === 'object' ? (
        <Fieldset key={field.label} legend={label}>
          <FormFields fields={field.fields} {...actions} />
        </Fieldset>
      ) : (
        <ValueField key={field.label} path={field.path} label={label} json={field.json} {...actions} />
      )
    })}
  </Stack>
)
