import { sql } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Operation } from '../../facades/operations/list.ts'
import type { ErrorCode } from '../../routers/api/errors.ts'
import { type CreationLimits, creationLimits, limits } from '../../routers/api/rules.ts'
import type { Resource } from '../contract/resources.ts'
import type { TestService } from '../support/test-service.ts'
import { holdLocks, waitForBlocked } from '../support/transactions.ts'
import type { WireResponse } from './document-checker.ts'

/** A request before it is sent. */
export interface Request {
  /** Values of the path parameters. */
  path: Record<string, string>
  secret?: string
  type?: string
  headers?: Record<string, string>
  query?: Record<string, string>
  /** A string is sent unchanged; any other value is sent as JSON. */
  body?: unknown
}

/** An operation, and everything that a test needs to call it. */
export interface Scenario {
  service: TestService
  operation: Operation
  /** A request that succeeds. */
  request: Request
}

/** Prepares an error. Returns changes to the request, which then triggers the error. */
export type FailureSetup<S extends Scenario> = (scenario: S) => Partial<Request> | Promise<Partial<Request>>

/** How to call the operations of an API, and how to make them fail. */
export interface Scenarios<S extends Scenario> {
  /**
   * Creates the resources that an operation needs. The returned request succeeds.
   *
   * @param example the request body in the OpenAPI document
   */
  prepare: (service: TestService, operation: Operation, example: unknown) => Promise<S>
  failureSetups: Partial<Record<ErrorCode, FailureSetup<S>>>
  /** The input field that causes an error, by error code. Operations without the field cannot return the error. */
  fields: Partial<Record<ErrorCode, string>>
}

type Resources = Readonly<Record<string, Pick<Resource<never>, 'missing' | 'notFound'>>>

/** Returns a setup for each 404 error. The setup makes the path lead to a resource that does not exist. */
export const notFoundSetups = (resources: Resources): Partial<Record<ErrorCode, FailureSetup<Scenario>>> =>
  Object.fromEntries(
    Object.entries(resources).map(([parameter, { missing, notFound }]) => [
      notFound,
      ({ request: { path } }: Scenario) => ({ path: { ...path, [parameter]: missing } }),
    ]),
  )

/** Returns the path parameter that causes each 404 error. */
export const notFoundFields = (resources: Resources): Partial<Record<ErrorCode, string>> =>
  Object.fromEntries(Object.entries(resources).map(([parameter, { notFound }]) => [notFound, parameter]))

/** Sends a request. */
export const sendRequest = async (
  { root }: Pick<TestService, 'root'>,
  { method, path }: Operation,
  request: Request,
): Promise<WireResponse> => {
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => request.path[name]!)
  const { secret, type = 'application/json', headers, query, body } = request
  const response = await fetch(`${root}/v1${address}?${new URLSearchParams(query).toString()}`, {
    method,
    headers: { ...(secret ? { authorization: `Bearer ${secret}` } : {}), 'content-type': type, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const KEY = { 'idempotency-key': '"8f14e45f-ceea-467f"' }

/** Setups for the errors that both APIs share. */
export const sharedFailureSetups: Partial<Record<ErrorCode, FailureSetup<Scenario>>> = {
  unauthorized: () => ({ secret: 'ss_sk_nobody' }),
  internal_error: async ({ service }) => {
    await hideCallerTables(service)
    return {}
  },
  unavailable: async ({ service }) => {
    await breakCallerTables(service)
    return {}
  },
  invalid_json: () => ({ body: '{' }),
  unsupported_media_type: () => ({ type: 'text/plain' }),
  payload_too_large: ({ operation }) => ({ body: ' '.repeat((operation.meta.bodyLimit ?? limits.body) + 1) }),
  validation_failed: ({ operation: { queryParameters } }) =>
    queryParameters.length === 0
      ? { body: { color: 'red' } }
      : { query: Object.fromEntries(queryParameters.map(name => [name, 'red'])) },
  idempotency_key_reused: async ({ service, operation, request }) => {
    await sendRequest(service, operation, { ...request, headers: KEY, body: {} })
    return { headers: KEY }
  },
  idempotency_in_progress: async ({ service, operation, request }) => {
    const holder = await holdLocks(service, tx => sql`lock table kept_answers in exclusive mode`.execute(tx))
    service.core.retryPatience = 0
    const first = sendRequest(service, operation, { ...request, headers: KEY })
    onTestFinished(async () => {
      await holder.rollback()
      await first
    })
    await waitForBlocked(service, 1)
    return { headers: KEY }
  },
}

/** Limits low enough for a scenario to reach with a few calls, but high enough for the other scenarios. */
export const fewOfEach: CreationLimits = {
  ...creationLimits,
  pages: 8,
  parts: 8,
  files: 8,
  posts: 8,
  postsPerMinute: 1_000_000,
  commentsPerMinute: 1_000_000,
}

const CALLER_TABLES = ['accounts', 'space_names'] as const

/** Renames the tables that authentication reads, so that authentication fails. `restoreTables` restores the names. */
export const hideCallerTables = (service: TestService): Promise<void> => hideTables(service, CALLER_TABLES)

/** Makes authentication fail as if the database were unavailable. `restoreTables` undoes this. */
export const breakCallerTables = (service: TestService): Promise<void> => breakTables(service, CALLER_TABLES)

const hideTables = async (service: TestService, tables: readonly string[]): Promise<void> => {
  const { schema } = service.core.database
  for (const table of tables) await schema.alterTable(table).renameTo(`hidden_${table}`).execute()
}

/** Makes reads and writes of tables fail as if the database server were starting. `restoreTables` undoes this. */
export const breakTables = async (service: TestService, tables: readonly string[]): Promise<void> => {
  const db = service.core.database
  await sql`create or replace function is_started() returns boolean language plpgsql as
    $$ begin raise exception 'the database system is starting up' using errcode = '57P03'; end $$`.execute(db)
  await hideTables(service, tables)
  for (const table of tables)
    await sql`create view ${sql.table(table)} as
      select * from ${sql.table(`hidden_${table}`)} where (select is_started()) with check option`.execute(db)
}

/** Undoes `hideTable`, `hideCallerTables` and `breakTables`. */
export const restoreTables = async (service: TestService): Promise<void> => {
  const db = service.core.database
  // Query the catalog directly: introspection is much slower, because it also lists the columns of every table.
  const { rows: changed } = await sql<{ name: string; isView: boolean }>`
    select relname as name, relkind = 'v' as "isView" from pg_class
    where relnamespace = current_schema()::regnamespace
      and (relkind = 'v' or relkind = 'r' and starts_with(relname, 'hidden_'))`.execute(db)
  for (const { name, isView } of changed) if (isView) await db.schema.dropView(name).execute()
  for (const { name, isView } of changed)
    if (!isView) await db.schema.alterTable(name).renameTo(name.slice('hidden_'.length)).execute()
}
