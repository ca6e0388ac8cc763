import { Stack } from '@mantine/core'
import { ConfirmationProvider } from '../security/confirmation.tsx'
import { PasskeysSection } from '../security/PasskeysSection.tsx'
import { PasswordSection } from '../security/PasswordSection.tsx'
import { RecoverySection } from '../security/RecoverySection.tsx'
import { SessionsSection } from '../security/SessionsSection.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'

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
