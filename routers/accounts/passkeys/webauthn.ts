/**
 * Loads the WebAuthn library when it is first needed. With its certificate parsers it makes up a seventh of all
 * modules of the process, which would slow every start.
 */
export const webauthn = async () => {
  const [library, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  return { ...library, ...helpers }
}
