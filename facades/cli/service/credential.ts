/** What is sent to a space to get access. */
export interface Credential {
  /** Returns the secret to send now. */
  secret: () => Promise<string>
  /** Returns another secret after one that was refused; null if there is none. @throws {Failure} */
  renewed: (refused: string) => Promise<string | null>
  /** What to do when the credential has ended, as a sentence. */
  whenEnded: string
}

/** A key that a person has created. @param address that of its space */
export const keyCredential = (key: string, address: string): Credential => ({
  secret: async () => key,
  renewed: async () => null,
  whenEnded: `The key for ${address} is not valid, or no longer; create one in the dashboard and run: space login --key ${address}`,
})
