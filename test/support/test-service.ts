import { pino } from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { Database } from '../../db/database.ts'
import { sessionActor } from '../../routers/api/browser-session.ts'
import type { Core } from '../../routers/api/context.ts'
import type { Renderer } from '../../routers/api/renderer.ts'
import { creationLimits } from '../../routers/api/rules.ts'
import { SPACE_SCOPES, type SpaceScope, USER_SCOPES, type UserScope } from '../../routers/api/scopes.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import { appRouter } from '../../routers/index.ts'
import { joinDatabase } from '../../server/database/locate.ts'
import { readSettings, type Settings } from '../../server/settings/settings.ts'
import type * as Start from '../../server/start.ts'
import { copyDatabase } from './database.ts'
import { sharedRenderer } from './renderer.ts'
import { type RestClient, restClient } from './rest-client.ts'

/** The bundle of the service, in the suites that `prepare-bundle.ts` prepares. The other suites run the sources. */
const bundle = inject('bundle')
const { startService } = (await import(bundle ?? '../../server/start.ts')) as typeof Start

const createCaller = createCallerFactory(appRouter)

/** A signed-in person. Has all procedures, called with this person's session. */
export type Person = Omit<ReturnType<typeof createCaller>, symbol> & {
  handle: string
  /** Calls `/v1` with a token with every scope. */
  api: RestClient
  /** Issues a token and returns its secret. */
  token(...scopes: UserScope[]): Promise<string>
  /** Calls `/v1` with a token with these scopes. */
  apiWith(...scopes: UserScope[]): Promise<RestClient>
}

/** A space with one participant and a key with every scope. */
export interface TestSpace {
  subdomain: string
  owner: Person
  /** Calls `/v1/spaces/{subdomain}` with a key with every scope. */
  api: RestClient
  /** Issues a key and returns its secret. */
  key: (...scopes: SpaceScope[]) => Promise<string>
  /** Calls `/v1/spaces/{subdomain}` with a key with these scopes. */
  apiWith: (...scopes: SpaceScope[]) => Promise<RestClient>
  /** Adds a participant, by default a new account as an owner, and returns it. */
  join: (person?: Person, role?: 'owner' | 'editor') => Promise<Person>
}

/** A running service with its own database, and functions that call it. */
export interface TestService extends Start.Service {
  /** URL of the main site: `http://127.0.0.1:port`. */
  root: string
  /** The parsed lines of the log. */
  log: Record<string, unknown>[]
  /** Creates an account and signs in. */
  signUp(handle?: string): Promise<Person>
  /** Returns the procedures for a caller without a session. */
  anonymous(): ReturnType<typeof createCaller>
  /** Creates a space, by default with a new account as its participant. */
  createSpace(subdomain?: string, owner?: Person): Promise<TestSpace>
  /** Calls REST paths with a credential. */
  rest(secret?: string, base?: string): RestClient
}

let renderer: Promise<Renderer> | undefined
/**
 * Returns the renderer that all services in a test worker share. That of the bundle belongs to a service that runs until
 * the worker ends.
 */
const rendererForTests = () => (renderer ??= bundle ? rendererOfBundle() : Promise.resolve(sharedRenderer()))

const rendererOfBundle = async () => {
  const keeper = await startService(await testSettings(), pino({ level: 'silent' }))
  return keeper.core.renderer
}

/**
 * Returns the dependencies with which tests call procedures. Tests call the sources of the procedures, which need a
 * database that the sources have opened, even if requests are served by the bundle.
 */
const coreForTests = async ({ core }: Start.Service, settings: Settings): Promise<Core> => {
  if (!bundle) return core
  const { location } = await joinDatabase(settings, pino({ level: 'silent' }))
  return {
    ...core,
    database: await Database.open(location, { namesStatements: settings.preparedStatements }),
  }
}

let count = 0
/** Returns a name that is unique in the test run. */
export const uniqueName = (prefix: string) => `${prefix}${++count}`

/**
 * Starts a service before the tests of a file and stops it afterwards.
 *
 * @param settings override the defaults; with `renderProcesses`, the service has a renderer of its own
 */
export const useTestService = (settings: Partial<Settings> = {}, patience?: Patience): TestService => {
  const service = {} as TestService
  beforeAll(async () => {
    Object.assign(service, await startTestService(settings, patience))
  })
  afterAll(() => service.stop())
  return service
}

/** How long a list may evaluate pages, in ms. On a busy machine, evaluations take longer than usual. */
interface Patience {
  lists: number
}

/** Starts a service with a copy of the migrated database. The caller stops it. */
export const startTestService = async (
  overrides: Partial<Settings> = {},
  patience: Patience = { lists: 60_000 },
): Promise<TestService> => {
  const settings = await testSettings(overrides)
  const log: Record<string, unknown>[] = []
  const service = await startService(
    settings,
    pino({ level: 'info' }, { write: line => void log.push(JSON.parse(line) as Record<string, unknown>) }),
    { renderer: overrides.renderProcesses === undefined ? await rendererForTests() : undefined },
  )
  // Results of writes and lists depend on evaluations of pages. On a busy machine, these take longer than usual.
  service.core.reviewPatience = 60_000
  service.core.listPatience = patience.lists
  const root = `http://127.0.0.1:${service.port}`
  const core = await coreForTests(service, settings)
  const stop = async () => {
    await service.stop()
    if (bundle) await core.database.close()
  }
  const rest = (secret?: string, base = '/v1') => restClient(root + base, secret)

  const anonymous = () => createCaller({ core, actor: null })

  const signUp = async (handle = uniqueName('person')): Promise<Person> => {
    let token: string | null = null
    const caller = createCaller({
      // Sign up with an empty list of operators, because sign-up refuses the handles of operators.
      core: { ...core, operators: new Set<string>() },
      actor: null,
      // A different client address per person, so that sign-ups are not rate limited.
      client: handle,
      setSession: newToken => {
        token = newToken
      },
    })
    await caller.accounts.signUp({ handle, password: 'correct horse battery' })
    const actor = await sessionActor(core.database, token ?? undefined)
    const signedIn = createCaller(() => ({ core, actor }))
    // Use the names of the real routers, because a tRPC caller accepts any property name.
    const names = Object.keys(appRouter._def.record) as (keyof typeof signedIn)[]
    const routers = Object.fromEntries(names.map(name => [name, signedIn[name]])) as typeof signedIn
    const issue = async (...scopes: UserScope[]) =>
      (await signedIn.tokens.issue({ label: 'test', scopes })).secret
    const apiWith = async (...scopes: UserScope[]) => rest(await issue(...scopes))
    return { ...routers, handle, token: issue, apiWith, api: await apiWith(...USER_SCOPES) }
  }

  const createSpace = async (subdomain = uniqueName('space'), participant?: Person): Promise<TestSpace> => {
    const owner = participant ?? (await signUp())
    await owner.spaces.create({ subdomain, name: `The ${subdomain}` })
    const key = async (...scopes: SpaceScope[]) =>
      (await owner.keys.issue({ subdomain, label: 'test', scopes })).secret
    const apiWith = async (...scopes: SpaceScope[]) => rest(await key(...scopes), `/v1/spaces/${subdomain}`)
    const join: TestSpace['join'] = async (person, role) => {
      const guest = person ?? (await signUp())
      const { url } = await owner.invites.create({ subdomain, role })
      await guest.invites.accept({ token: new URL(url).hash.slice(1) })
      return guest
    }
    return { subdomain, owner, key, apiWith, join, api: await apiWith(...SPACE_SCOPES) }
  }

  return { ...service, core, stop, root, log, signUp, anonymous, createSpace, rest }
}

const testSettings = async (overrides: Partial<Settings> = {}): Promise<Settings> => ({
  ...readSettings({
    API_ROOT: 'http://localhost',
    SITE_DOMAIN: 'sites.localhost',
    PAGES_DOMAIN: 'pages.localhost',
    FILES_DOMAIN: 'files.localhost',
    POSTS_DOMAIN: 'posts.localhost',
    RENDER_PROCESSES: '1',
  }),
  port: 0,
  databaseUrl: overrides.databaseUrl ?? (await copyDatabase(inject('database'))),
  callsPerMinute: 1_000_000,
  passwordCost: { memoryCost: 64, timeCost: 1 },
  creationLimits: { ...creationLimits, postsPerMinute: 1_000_000, commentsPerMinute: 1_000_000 },
  ...overrides,
})
