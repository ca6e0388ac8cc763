/** Search parameters that open a dialog of the key and token lists, so that dialogs can be linked to. */
interface CredentialDialog {
  issue?: true
  rotate?: string
  revoke?: string
}

/** Validates the search parameters of the list of keys, which also has the dialog for connecting an agent. */
export const keySearch = (search: Record<string, unknown>): CredentialDialog & { connect?: true } =>
  search.connect === true ? { connect: true } : credentialSearch(search)

/** Validates the search parameters of the key and token lists. */
export const credentialSearch = ({ issue, rotate, revoke }: Record<string, unknown>): CredentialDialog => {
  if (issue === true) return { issue }
  if (typeof rotate === 'string') return { rotate }
  return typeof revoke === 'string' ? { revoke } : {}
}
