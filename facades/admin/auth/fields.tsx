import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core'
import { limits, userRules } from '../../../routers/core/rules.ts'

/** Where one's handle is typed. */
export const HandleField = (props: TextInputProps) => (
  <TextInput
    label="Handle"
    name="handle"
    autoComplete="username"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    required
    withAsterisk={false}
    {...props}
  />
)

const { min_length, max_length } = userRules.profile.handle

/** Where a handle is chosen. */
export const NewHandleField = (props: TextInputProps) => (
  <HandleField
    description={`${min_length} to ${max_length} letters, digits, dots and underscores. Others see it.`}
    {...props}
  />
)

/** Where the password that one has is typed. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput
    label="Password"
    name="password"
    autoComplete="current-password"
    required
    withAsterisk={false}
    visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
    {...props}
  />
)

/** Where a password is chosen; browsers offer to make one up. */
export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField
    autoComplete="new-password"
    description={`At least ${limits.passwordMin} characters. A few words are easy to remember.`}
    {...props}
  />
)
