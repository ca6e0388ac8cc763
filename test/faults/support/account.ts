import { SPACE_SCOPES, USER_SCOPES } from '../../../routers/api/scopes.ts'
import { call } from './http.ts'

export const PASSWORD = 'correct horse battery'

/** An account with a space, created over HTTP. */
export interface TestAccount {
  handle: string
  cookie: string
  subdomain: string
  /** The `Authorization` headers for a key of the space and for a token, each with every scope. */
  key: { authorization: string }
  token: { authorization: string }
  /** Calls a procedure of the dashboard with the session. Throws if the call fails. */
  procedure<T>(name: string, input: unknown): Promise<T>
}

const mutate = async (port: number, name: string, input: unknown, cookie = '') => {
  const reply = await call(port, { path: `/trpc/${name}`, body: JSON.stringify(input), headers: { cookie } })
  if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${reply.error ?? reply.text}`)
  const { result } = JSON.parse(reply.text) as { result: { data: Record<string, unknown> } }
  return { data: result.data, cookie: reply.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie }
}

/**
 * Creates an account with a space, a key and a token.
 *
 * @param name the handle and subdomain: 3 to 15 letters and digits
 */
export const createAccount = async (port: number, name: string): Promise<TestAccount> => {
  const { cookie } = await mutate(port, 'accounts.signUp', { handle: name, password: PASSWORD })
  const procedure = async <T>(procedureName: string, input: unknown) =>
    (await mutate(port, procedureName, input, cookie)).data as T
  await procedure('spaces.create', { subdomain: name, name })
  const choice = { label: 'test', expires_in_days: null }
  const key = await procedure<{ secret: string }>('keys.issue', {
    ...choice,
    subdomain: name,
    scopes: SPACE_SCOPES,
  })
  const token = await procedure<{ secret: string }>('tokens.issue', { ...choice, scopes: USER_SCOPES })
  return {
    handle: name,
    cookie,
    subdomain: name,
    key: { authorization: `Bearer ${key.secret}` },
    token: { authorization: `Bearer ${token.secret}` },
    procedure,
  }
}
