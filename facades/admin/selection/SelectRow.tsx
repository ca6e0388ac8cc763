import { Checkbox } from '@mantine/core'
import type { Selection } from './use-selection.ts'

interface SelectRowProps {
  id: string
  /** The name of the item. */
  name: string
  selection: Pick<Selection<unknown>, 'isSelected' | 'select'>
  className?: string
}

/** The checkbox of a row. With Shift, it also changes the rows between this one and the last one. */
export const SelectRow = ({ id, name, selection, ...props }: SelectRowProps) => (
  <Checkbox
    {...props}
    aria-label={`Select ${name}`}
    checked={selection.isSelected(id)}
    onChange={({ currentTarget, nativeEvent }) =>
      selection.select(id, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
    }
  />
)
