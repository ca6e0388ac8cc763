import { beforeAll, describe, expect, test } from 'vitest'
import { prepareServer } from '../../facades/mcp/prepare-server.ts'
import { toolServers } from '../../facades/mcp/servers.ts'
import type { Operation } from '../../facades/operations/list.ts'
import { SPACE_SCOPES, USER_SCOPES } from '../../routers/api/scopes.ts'
import { appRouter } from '../../routers/index.ts'
import { facts } from '../contract/facts.ts'
import { isCallable, operations, pathOf } from '../contract/operations.ts'
import { dashboardClient } from '../dashboard/support/dashboard-client.ts'
import { errorOfStream } from '../live/support/streams.ts'
import { type ToolPath, toolClient } from '../mcp/support/tool-client.ts'
import { request } from '../space-api/support/http.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'
import { type Access, classification, createVictim, staleEntries, type Victim } from './classification.ts'
import { digestsOf } from './digests.ts'

const service = useTestService({ anonymousCallsPerMinute: 1_000_000, dashboardCallsPerMinute: 1_000_000 })
let victim: Victim
/** Credentials of an account that has its own space but no access to the victim's. */
let outsider: { cookie: string; key: string; token: string }
const outsiderSpace = uniqueName('outside')
/** Credentials of the victim. */
let victims: { key: string; token: string }
let before: Record<string, string>

/** Ignores the outsider's own space, because the calls of these tests may change it. */
const digests = () => digestsOf(service.core.database, { ignored: outsiderSpace })

beforeAll(async () => {
  victim = await createVictim(service)
  const browser = dashboardClient(service)
  await browser.api.accounts.signUp.mutate({
    handle: uniqueName('outsider'),
    password: 'correct horse battery',
  })
  const subdomain = outsiderSpace
  await browser.api.spaces.create.mutate({ subdomain, name: 'Strange' })
  const [key, token] = await Promise.all([
    browser.api.keys.issue.mutate({ subdomain, label: 'x', scopes: [...SPACE_SCOPES] }),
    browser.api.tokens.issue.mutate({ label: 'x', scopes: [...USER_SCOPES] }),
  ])
  outsider = { cookie: browser.cookie()!, key: key.secret, token: token.secret }
  victims = {
    key: await victim.space.key(...SPACE_SCOPES),
    token: await victim.person.token(...USER_SCOPES),
  }
  before = await digests()
})

/** The internal fields of a procedure that these tests read. */
interface Definition {
  type: 'query' | 'mutation' | 'subscription'
  meta?: { api?: string }
}

const procedures = Object.entries<{ _def: unknown }>(appRouter._def.procedures as never).map(
  ([name, procedure]) => {
    const { type, meta } = procedure._def as Definition
    return { name, type, api: meta?.api, access: classification[name] }
  },
)

test('every procedure has an entry in classification.ts, and every entry belongs to a procedure', () => {
  expect(
    procedures
      .filter(({ access }) => !access)
      .map(({ name }) => `\`${name}\` has no entry in test/access/classification.ts; add who can call it`),
  ).toEqual([])
  expect(staleEntries(procedures.map(({ name }) => name))).toEqual([])
})

const classified = procedures.flatMap(({ access, ...row }) => (access ? [{ ...row, access }] : []))

/** Calls a procedure over `/trpc` and returns the status and error code. */
const call = async (
  { name, type }: Pick<Definition, 'type'> & { name: string },
  input: unknown,
  headers: Record<string, string>,
) => {
  const json = input === undefined ? undefined : JSON.stringify(input)
  const { status, text } =
    type !== 'mutation'
      ? await request(
          service.root,
          'GET',
          `/trpc/${name}${json === undefined ? '' : `?input=${encodeURIComponent(json)}`}`,
          { headers },
        )
      : await request(service.root, 'POST', `/trpc/${name}`, {
          headers: { ...headers, 'content-type': 'application/json' },
          body: json ?? '',
        })
  if (type === 'subscription') {
    const { problem } = errorOfStream(text)
    return { status: problem.status, code: problem.code }
  }
  const { error } = JSON.parse(text) as { error?: { data: { problem: { code: string; status: number } } } }
  return { status, code: error?.data.problem.code }
}

const inputOf = (access: Access) => (access.kind === 'open' ? undefined : access.input(victim))

describe.each(classified.filter(({ access }) => access.kind !== 'open'))('the procedure $name', row => {
  test('refuses callers without a session, even with a key or token', async () => {
    const code = row.api === undefined ? 'sign_in_required' : 'unauthorized'
    const name = outsider.cookie.split('=')[0]!
    const callers: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${victims.key}` },
      { authorization: `Bearer ${victims.token}` },
      { cookie: `${name}=${outsider.key}` },
      { cookie: `${name}=${outsider.token}` },
      { cookie: `${name}=` },
    ]
    for (const headers of callers)
      expect(await call(row, inputOf(row.access), headers)).toEqual({ status: 401, code })
  })
})

describe.each(classified.filter(({ access }) => !['open', 'self'].includes(access.kind)))(
  'the procedure $name',
  row => {
    test("refuses another account's session", async () => {
      const { access } = row
      const code =
        access.kind === 'space'
          ? 'space_not_found'
          : access.kind === 'owner'
            ? access.refusal
            : 'operators_only'
      expect((await call(row, inputOf(access), { cookie: outsider.cookie })).code).toBe(code)
    })
  },
)

/** Calls an operation on a resource that belongs to the victim. */
const send = ({ name, method, path, takesBody }: Operation, headers: Record<string, string>) =>
  request(service.root, method, pathOf({ operation: { path } as never }, victim.path), {
    headers: { ...headers, ...(takesBody ? { 'content-type': 'application/json' } : {}) },
    ...(takesBody ? { body: JSON.stringify(facts[name]!.body?.() ?? {}) } : {}),
  })

describe.each(operations.filter(isCallable))('$method $path', operation => {
  test("refuses callers without a credential, with only a session, or with the other API's credential", async () => {
    const other = operation.meta.api === 'space' ? outsider.token : outsider.key
    const cookieValue = outsider.cookie.split('=')[1]!
    const callers: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${other}` },
      { authorization: `Bearer ${cookieValue}` },
      { cookie: outsider.cookie },
    ]
    for (const headers of callers)
      expect((await send(operation, headers)).body).toMatchObject({
        status: 401,
        code: 'unauthorized',
      })
  })
})

describe.each(operations.filter(isCallable).filter(({ name }) => classification[name]!.kind !== 'self'))(
  '$method $path',
  operation => {
    const { name, meta } = operation
    const access = classification[name]!
    test("refuses another account's or space's credential", async () => {
      const isSpace = meta.api === 'space'
      const response = await send(operation, {
        authorization: `Bearer ${isSpace ? outsider.key : outsider.token}`,
      })
      const code = isSpace ? 'space_mismatch' : access.kind === 'owner' && access.refusal
      expect(response.body.code).toBe(code)
      expect(response.status).toBe(isSpace ? 403 : 404)
    })
  },
)

const tools = toolServers.flatMap(server =>
  [...prepareServer(appRouter, server).tools]
    .filter(([, { operation }]) => !('path' in operation) || isCallable(operation))
    .map(([tool, { operation }]) => {
      const path = server.path as ToolPath
      const { name } = operation
      const args = () => {
        const { subdomain: _, ...input } = inputOf(classification[name]!) ?? {}
        return input as Record<string, unknown>
      }
      const client = (secret?: string) => toolClient(service, path, secret, '2025-11-25')
      const [own, other] =
        server.api.name === 'space' ? (['key', 'token'] as const) : (['token', 'key'] as const)
      const targets = Object.keys(operation.input.shape).filter(field => /_id$|^key$/.test(field))
      const namesOne = targets.length > 0 && !facts[name]?.isUpsert
      return { title: `${tool} of ${path}`, tool, path, args, client, namesOne, own, other }
    }),
)

describe.each(tools)('the tool $title', ({ tool, args, client, other }) => {
  test("refuses callers without a credential or with the other API's credential", async () => {
    for (const secret of [undefined, outsider[other]]) {
      const { status } = await client(secret).send('tools/call', { name: tool, arguments: args() })
      expect(status).toBe(401)
    }
  })
})

describe.each(tools.filter(({ namesOne }) => namesOne))('the tool $title', ({ tool, args, client, own }) => {
  test('returns 404 for resources of another space or account', async () => {
    const { isError, content } = await client(outsider[own]).call(tool, args())
    expect(isError).toBe(true)
    expect(JSON.parse(content[0]!.text)).toMatchObject({ status: 404 })
  })
})

describe.each(tools.filter(({ own }) => own === 'key'))('the tool $title', ({ tool, args, client }) => {
  test('refuses an argument that names another space', async () => {
    const named = { ...args(), subdomain: victim.space.subdomain }
    const { isError, content } = await client(outsider.key).call(tool, named)
    expect(isError).toBe(true)
    expect(JSON.parse(content[0]!.text)).toMatchObject({ status: 422 })
  })
})

// Once for all tests, because comparing the tables takes longer than most of them.
test('no refused call has changed anything', async () => {
  expect(await digests()).toEqual(before)
})
