import { NativeSelect } from '@mantine/core'
import { type CellKind, convertCell, kindOf } from './cell.ts'

interface CellTypeProps {
  /** The JSON of the selected cell; undefined if the object lacks the key. */
  json: string | undefined
  isDisabled: boolean
  onChange: (json: string | undefined) => void
}

const KINDS: [CellKind, string][] = [
  ['text', 'Text'],
  ['number', 'Number'],
  ['boolean', 'True or false'],
  ['null', 'Null'],
]

/** Shows and changes the type of the selected cell. Types that its value can't have are not offered. */
export const CellType = ({ json, isDisabled, onChange }: CellTypeProps) => {
  const kind = json === undefined ? 'missing' : kindOf(json)
  return (
    <NativeSelect
      size="xs"
      w="9rem"
      aria-label="Type of the selected cell"
      disabled={isDisabled}
      value={isDisabled ? '' : kind}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === 'missing' ? undefined : convertCell(json, value as CellKind))
      }
    >
      {isDisabled && <option value="">Type</option>}
      {KINDS.map(([name, label]) => (
        <option key={name} value={name} disabled={kind !== name && convertCell(json, name) === undefined}>
          {label}
        </option>
      ))}
      {kind === 'nested' && <option value="nested">List or object</option>}
      <option value="missing">No value</option>
    </NativeSelect>
  )
}
