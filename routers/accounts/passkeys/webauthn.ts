/**
 * Loads the WebAuthn library when it is first needed. The library and its certificate parsers are a seventh of all
 * modules of the process, so loading them would slow every start.
 */
export const webauthn = async () => {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...library, ...helpers }
}
