import { Stack } from '@mantine/core'
import { ConfirmationProvider } from '../security/confirmation.tsx'
import { PasskeysSection } from '../security/PasskeysSection.tsx'
import { PasswordSection } from '../security/PasswordSection.tsx'
import { RecoverySection } from '../security/RecoverySection.tsx'
import { SessionsSection } from '../security/SessionsSection.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'

/** The ways into one's account, and where one is in. */
export const Security = () => (
  <ConfirmationProvider>
    <ViewTitle title="Security" text="The ways into your account, and where you are signed in." />
    <Stack gap="lg" maw="48rem">
      <PasswordSection />
      <PasskeysSection />
      <RecoverySection />
      <SessionsSection />
    </Stack>
  </ConfirmationProvider>
)
