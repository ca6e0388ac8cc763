import { TextInput } from '@mantine/core'
import { rules } from '../../../routers/api/rules.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { firstField } from '../shell/first-field.ts'
import { useSpace } from '../use-space.ts'

const KEY = new RegExp(rules.data.key_pattern)
const KEY_RULE = 'Lowercase letters, digits and hyphens, up to 60 characters. No hyphen at either end.'

/** Whether a key is valid. */
export const isKey = (key: string): boolean => KEY.test(key)

interface KeyFieldProps {
  value: string
  onChange: (key: string) => void
  onEnter: () => void
  /** Whether the form has been submitted. Before that, an invalid key is not reported. */
  isSubmitted: boolean
  /** Whether another record has this key. */
  isTaken: boolean
  /** The service's error about the key. */
  error: string | undefined
}

/** Field for the key of a new record. */
export const KeyField = ({ value, onChange, onEnter, isSubmitted, isTaken, error }: KeyFieldProps) => {
  const { subdomain } = useSpace()
  return (
    <TextInput
      label="Key"
      description={KEY_RULE}
      required
      withAsterisk={false}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...firstField}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') onEnter()
      }}
      error={
        isTaken ? (
          <>
            Another record already has this key. Choose a different key, or{' '}
            <TextLink size="sm" to="/spaces/$subdomain/data/$key" params={{ subdomain, key: value }}>
              open that record
            </TextLink>
            .
          </>
        ) : isSubmitted && !isKey(value) ? (
          KEY_RULE
        ) : (
          error
        )
      }
    />
  )
}
