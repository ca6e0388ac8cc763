import type { Page } from 'playwright-core'

/** A virtual authenticator that approves every request while a finger is on its sensor. */
export interface VirtualAuthenticator {
  /** Returns the number of stored passkeys. */
  count: () => Promise<number>
  /** Puts the finger on the sensor or takes it off. */
  touch: (isTouching: boolean) => Promise<void>
}

/** Gives a window an authenticator that stores passkeys and verifies the user. */
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
