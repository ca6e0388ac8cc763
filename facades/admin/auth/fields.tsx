import {
  Checkbox,
  type CheckboxProps,
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { limits, userRules } from '../../../routers/api/rules.ts'

/** Input for the handle of an existing account. */
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

/** Input for choosing a handle. */
export const NewHandleField = (props: TextInputProps) => (
  <HandleField
    description={`${min_length} to ${max_length} letters, digits, dots and underscores. Everyone can see it.`}
    {...props}
  />
)

/** Input for a recovery code. */
export const RecoveryCodeField = (props: TextInputProps) => (
  <TextInput
    label="Recovery code"
    placeholder="xxxxxx-xxxxxx-xxxxxx"
    autoComplete="off"
    autoCapitalize="none"
    autoCorrect="off"
    spellCheck={false}
    required
    withAsterisk={false}
    styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    {...props}
  />
)

/** Input for an existing password. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput
    label="Password"
    name="password"
    autoComplete="current-password"
    required
    withAsterisk={false}
    visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
    {...props}
  />
)

/** Input for choosing a password; browsers offer to generate one. */
export const NewPasswordField = (props: PasswordInputProps) => (
  <PasswordField
    autoComplete="new-password"
    description={`At least ${limits.passwordMin} characters. A phrase of a few words is easy to remember.`}
    {...props}
  />
)

/** Checkbox for also revoking all of the person's tokens and connected apps. */
export const EndTokensField = (props: CheckboxProps) => (
  <Checkbox
    label="Also revoke all tokens and disconnect all apps"
    description="Choose this if someone else may have used your account. Space keys keep working."
    {...props}
  />
)
