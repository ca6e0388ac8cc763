import { TextInput } from '@mantine/core'
import { rules } from '../../../routers/core/rules.ts'
import { TextLink } from '../shell/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'

const KEY = new RegExp(rules.data.key_pattern)
const KEY_RULE = 'Lower-case letters, digits and hyphens, at most 60; no hyphen at either end.'

/** Whether a record can have this key. */
export const isKey = (key: string): boolean => KEY.test(key)

interface KeyFieldProps {
  value: string
  onChange: (key: string) => void
  onEnter: () => void
  /** Whether somebody has tried to save it as it is. */
  isTried: boolean
  /** Whether another record has it. */
  isTaken: boolean
  /** What the service has against it. */
  error: string | undefined
}

/** The key that a new record is to have. */
export const KeyField = ({ value, onChange, onEnter, isTried, isTaken, error }: KeyFieldProps) => {
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
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') onEnter()
      }}
      error={
        isTaken ? (
          <>
            Another record has this key; it is unchanged. Choose another key, or{' '}
            <TextLink size="sm" to="/spaces/$subdomain/data/$key" params={{ subdomain, key: value }}>
              open that record
            </TextLink>
            .
          </>
        ) : isTried && !isKey(value) ? (
          KEY_RULE
        ) : (
          error
        )
      }
    />
  )
}
