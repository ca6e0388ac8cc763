import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { JSONPath } from 'jsonc-parser'
import { useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { shownCell } from '../table/cell.ts'
import { deleteRow, insertRow } from '../table/edit-table.ts'
import { type Row, writeTable } from '../table/json-table.ts'
import { FormFields } from './FormFields.tsx'
import { type JsonForm, setValue } from './json-form.ts'

interface RecordFormProps {
  form: JsonForm
  text: string
  onChange: (text: string) => void
  onOpenJson: (path: JSONPath) => void
}

/** Maximum length of the names in the list of items. Each item is named after its first non-empty string. */
const NAME_LENGTH = 40

const nameOf = (row: Row, index: number): string => {
  const first = [...row.values()].find(json => json.startsWith('"') && json !== '""')
  const name = first === undefined ? '' : shownText(shownCell(first)).slice(0, NAME_LENGTH)
  return name === '' ? `Item ${index + 1}` : `${index + 1}. ${name}`
}

/** A record's value as a form: the fields of an object, or of one item of a list. */
const RecordForm = ({ form: { list, fieldsOf }, text, onChange, onOpenJson }: RecordFormProps) => {
  const [chosen, setChosen] = useState(0)
  const count = list?.rows.length ?? 1
  const item = Math.min(chosen, Math.max(0, count - 1))
  const fields = count === 0 ? [] : fieldsOf(item)
  return (
    <Stack gap="md">
      {list && (
        <Group gap="sm" align="end">
          {count > 0 && (
            <NativeSelect
              label={`Item (${count})`}
              value={item}
              onChange={event => setChosen(Number(event.currentTarget.value))}
              data={list.rows.map((row, index) => ({ value: String(index), label: nameOf(row, index) }))}
              style={{ flex: '1 1 14rem', maxWidth: '28rem' }}
            />
          )}
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              onChange(writeTable(insertRow(list, count)))
              setChosen(count)
            }}
          >
            Add item
          </Button>
          {count > 0 && (
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => onChange(writeTable(deleteRow(list, item)))}
            >
              Delete item
            </Button>
          )}
        </Group>
      )}
      {fields.length === 0 ? (
        <Text c="dimmed">
          {count === 0
            ? 'The list is empty.'
            : 'The object has no keys yet. Add them as JSON or in the table.'}
        </Text>
      ) : (
        <FormFields
          // Mount new fields for each item, so that text typed for one item is never written to another.
          key={item}
          fields={fields}
          onEdit={(path, json) => onChange(setValue(text, path, json))}
          onOpenJson={onOpenJson}
        />
      )}
    </Stack>
  )
}

export default RecordForm
