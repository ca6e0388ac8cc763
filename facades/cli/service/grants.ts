import { Away, Failure, NoAccess } from '../failure.ts'

/** What the service has granted to this computer when a person agreed in the browser. */
export interface Grant {
  access_token: string
  refresh_token: string
  /** When the access token ends, in ms since 1970. */
  expires_at: number
}

/** The id under which every instance knows this program. */
export const CLIENT_ID = 'space-command'

/** How long to wait for the authorization server, in ms. */
const PATIENCE = 30_000

const post = async (request: typeof fetch, url: string, fields: Record<string, string>) => {
  const body = new URLSearchParams({ client_id: CLIENT_ID, ...fields })
  const signal = AbortSignal.timeout(PATIENCE)
  return request(url, { method: 'POST', body, redirect: 'manual', signal }).catch(() => {
    throw new Away(`${new URL(url).origin} cannot be reached. Try again later.`)
  })
}

const tokens = async (request: typeof fetch, root: string, fields: Record<string, string>) => {
  const start = Date.now()
  const response = await post(request, `${root}/oauth/token`, { resource: `${root}/transfer`, ...fields })
  const answer = (await response.json().catch(() => null)) as Record<string, unknown> | null
  if (response.status === 429 || response.status >= 500)
    throw new Away(`${new URL(root).origin} is busy. Try again later.`)
  if (!response.ok || typeof answer?.access_token !== 'string') return null
  return {
    access_token: answer.access_token,
    refresh_token: String(answer.refresh_token),
    expires_at: start + Number(answer.expires_in) * 1000,
  }
}

/** Exchanges the code that the browser brought. @throws {Failure} */
export const exchangeCode = async (
  request: typeof fetch,
  root: string,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<Grant> => {
  const fields = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  }
  const grant = await tokens(request, root, fields)
  if (!grant)
    throw new Failure('The service did not accept the answer of the browser; run space login again.')
  return grant
}

/** Returns the grant with new tokens. @throws {NoAccess} if it has ended */
export const refreshGrant = async (
  request: typeof fetch,
  root: string,
  { refresh_token }: Grant,
): Promise<Grant> => {
  const grant = await tokens(request, root, { grant_type: 'refresh_token', refresh_token })
  if (!grant) throw new NoAccess(`Your sign-in at ${root} has ended; run: space login`)
  return grant
}

/** Ends a grant at the service. @throws {Away} */
export const revokeGrant = async (request: typeof fetch, root: string, grant: Grant): Promise<void> => {
  const response = await post(request, `${root}/oauth/revoke`, { token: grant.refresh_token })
  if (!response.ok) throw new Away(`${new URL(root).origin} did not end the sign-in. Try again later.`)
}
