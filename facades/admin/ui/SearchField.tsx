import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useKey } from '../shell/single-keys.ts'

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  /** Accessible name of the field. */
  label: string
  /** The current search term, usually from the URL. */
  value: string
  onChange: (value: string) => void
}

/**
 * Search field of a list, which `/` focuses. It keeps its own state, because the URL is updated with a delay, and letters
 * typed meanwhile would be lost. If the URL changes while the field is not focused, the field shows the new term.
 */
export const SearchField = ({ label, value, onChange, ...props }: SearchFieldProps) => {
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (document.activeElement !== input.current) setTyped(value)
  }, [value])
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      {...useKey('/')}
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
