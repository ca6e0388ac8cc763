import type { Page } from 'playwright-core'

/** A device's authenticator that says yes to whatever it is asked, as a finger on its sensor would. */
export interface VirtualAuthenticator {
  /** How many passkeys it holds. */
  count: () => Promise<number>
  /** Whether a finger is on the sensor. */
  touch: (isTouching: boolean) => Promise<void>
}

/** Puts an authenticator that keeps passkeys and verifies its owner into a window. */
export const addAuthenticator = async (page: Page): Promise<VirtualAuthenticator> => {
  const debug = await page.context().newCDPSession(page)
  await debug.send('WebAuthn.enable')
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    count: async () => {
      const { credentials } = await debug.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    touch: async enabled => {
      await debug.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
