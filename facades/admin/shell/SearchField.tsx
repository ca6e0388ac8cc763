import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Names the field. */
  label: string
  /** What is searched for, as the address says it. */
  value: string
  onChange: (value: string) => void
}

/**
 * A field for what is searched for in a list. What is typed stays in the field: an address changes a moment later,
 * and letters typed meanwhile would be lost.
 */
export const SearchField = ({ label, value, onChange, ...props }: SearchFieldProps) => {
  const [typed, setTyped] = useState(value)
  return (
    <TextInput
      type="search"
      aria-label={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed}
      onChange={event => {
        setTyped(event.currentTarget.value)
        onChange(event.currentTarget.value)
      }}
      {...props}
    />
  )
}
