import { createRequire } from 'node:module'
import { Client, type QueryConfig } from 'pg'

/**
 * The connection classes of all copies of the driver. If the ORM needs a different version of the driver, the ORM has
 * its own copy, and all writes use that copy.
 */
const CLIENTS = new Set([Client, clientOfOrm()])

function clientOfOrm(): typeof Client {
  const require = createRequire(import.meta.url)
  return (createRequire(require.resolve('@mikro-orm/postgresql'))('pg') as { Client: typeof Client }).Client
}

/** A statement that was sent to the database. */
export interface Statement {
  text: string
  values: unknown[]
}

/** What was sent to the database. */
export interface Recorded {
  statements: Statement[]
  /** Number of round trips. A statement adds none if it is sent while an earlier statement waits for its response. */
  roundTrips: number
}

type Query = (...args: unknown[]) => unknown

/** Statements that the process sends in the background, without a request. */
const BACKGROUND = /^select 1$|as credential set|^\s*insert into audit_events \(at, space_id, account_id/

/** Records the statements of this process. @returns a function that stops recording and returns the statements */
export const recordStatements = (): (() => Recorded) => {
  const statements: Statement[] = []
  let open = 0
  let roundTrips = 0
  const begin = (statement: Statement) => {
    statements.push(statement)
    if (open === 0) roundTrips += 1
    open += 1
  }
  /** The recorded begin of each transaction that has sent nothing else yet. */
  const begun = new WeakMap<Client, { statement: Statement; takesRoundTrip: boolean }>()
  /** Connections in a transaction whose statements the process sends in the background. */
  const inBackground = new WeakSet<Client>()
  const leaveOutBegin = (client: Client) => {
    const transaction = begun.get(client)
    if (!transaction) return
    statements.splice(statements.indexOf(transaction.statement), 1)
    if (transaction.takesRoundTrip) roundTrips -= 1
    begun.delete(client)
    inBackground.add(client)
  }
  const end = () => {
    open -= 1
  }
  const recording = (original: Query) =>
    function (this: Client, ...args: unknown[]) {
      const [config, second] = args as [string | QueryConfig, unknown]
      const text = typeof config === 'string' ? config : config.text
      if (BACKGROUND.test(text)) {
        leaveOutBegin(this)
        return original.apply(this, args)
      }
      if (inBackground.delete(this)) return original.apply(this, args)
      const values = typeof config === 'string' ? second : config.values
      const statement = { text, values: Array.isArray(values) ? values : [] }
      if (text.startsWith('begin')) begun.set(this, { statement, takesRoundTrip: open === 0 })
      else begun.delete(this)
      begin(statement)
      const last = args.at(-1)
      if (typeof last === 'function') {
        const callback = last as (...results: unknown[]) => void
        const ended = (...results: unknown[]) => {
          end()
          callback(...results)
        }
        return original.apply(this, [...args.slice(0, -1), ended])
      }
      const result = original.apply(this, args) as Promise<unknown>
      result.then(end, end)
      return result
    }
  const restore = replaceQuery(recording)
  return () => {
    restore()
    return { statements, roundTrips }
  }
}

/** Replaces the function that sends a statement. @returns a function that restores it */
const replaceQuery = (replace: (original: Query) => Query): (() => void) => {
  const originals = [...CLIENTS].map(
    ({ prototype }) => [prototype, Reflect.get(prototype, 'query') as Query] as const,
  )
  for (const [prototype, query] of originals) Reflect.set(prototype, 'query', replace(query))
  return () => {
    for (const [prototype, query] of originals) Reflect.set(prototype, 'query', query)
  }
}

/**
 * Runs work before the next statement that matches a pattern is sent. If the work fails, so does the statement. Until
 * the work is done, the statements that follow on the same connection wait too, so that their order stays the same.
 *
 * @param waits `all`: every matching statement that is sent meanwhile waits too, so the work must send none
 * @returns a function that sends later statements at once
 */
export const beforeStatement = (
  pattern: RegExp,
  work: () => Promise<unknown>,
  { waits = 'first' }: { waits?: 'first' | 'all' } = {},
): (() => void) => {
  let until: Promise<unknown> | undefined
  const held = new Set<Client>()
  const restore = replaceQuery(
    original =>
      function (this: Client, ...args: unknown[]) {
        const [config] = args as [string | QueryConfig]
        const mayWait = waits === 'all' || !until
        if (mayWait && pattern.test(typeof config === 'string' ? config : config.text)) {
          held.add(this)
          until ??= work().finally(() => restore())
        }
        if (!until || !held.has(this)) return original.apply(this, args)
        const sent = until.then(() => original.apply(this, args))
        const last = args.at(-1)
        if (typeof last === 'function') sent.catch(last as (error: unknown) => void)
        return sent
      },
  )
  return restore
}

/**
 * Makes every statement that matches a condition fail without being sent.
 *
 * @returns a function that lets these statements be sent again
 */
export const failStatements = (
  isFailing: (statement: Statement) => boolean,
  error: () => Error,
): (() => void) =>
  replaceQuery(
    original =>
      function (this: Client, ...args: unknown[]) {
        const [config, second] = args as [string | QueryConfig, unknown]
        const { text, values } = typeof config === 'string' ? { text: config, values: second } : config
        if (!isFailing({ text, values: Array.isArray(values) ? values : [] }))
          return original.apply(this, args)
        const last = args.at(-1)
        if (typeof last !== 'function') return Promise.reject(error())
        queueMicrotask(() => (last as (error: Error) => void)(error()))
        return undefined
      },
  )
