import { Stack } from '@mantine/core'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { ConfirmationProvider } from './confirmation.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { RecoverySection } from './RecoverySection.tsx'
import { SessionsSection } from './SessionsSection.tsx'

/** Manages sign-in methods and sessions. */
export const Security = () => (
  <ConfirmationProvider>
    <ViewTitle title="Security" text="How you sign in, and where you are signed in." />
    <Stack gap="lg" maw="48rem">
      <PasswordSection />
      <PasskeysSection />
      <RecoverySection />
      <SessionsSection />
    </Stack>
  </ConfirmationProvider>
)
