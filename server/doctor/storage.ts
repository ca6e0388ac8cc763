import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { knownMigrations } from '../../db/backup/apply-migrations.ts'
import { listMigrations } from '../../db/backup/catalog.ts'
import { restoreBackup } from '../../db/backup/restore.ts'
import { clientConfig, type DatabaseLocation } from '../../db/database.ts'
import { dropDatabase, ensureDatabase } from '../../db/embedded/postgres.ts'
import { connectS3 } from '../../db/file-store/s3.ts'
import { BEFORE_VERSION_1, isBeforeVersion1 } from '../../db/migrations.ts'
import { type ServerFacts, serverFacts } from '../../db/server-facts.ts'
import { connectRateStore } from '../../routers/api/rate-limit.ts'
import { joinDatabase, OUTSIDE_POOL, requireData } from '../database/locate.ts'
import { explain } from '../explain.ts'
import type { Settings } from '../settings/settings.ts'
import { type Finding, fault, good, messageOf, warning } from './finding.ts'
import { newestBackup } from './machine.ts'

/** Oldest supported version of PostgreSQL, as the server reports it. */
const OLDEST = 150_000

/** How far the clock of the database's server may differ, in ms. */
const CLOCK = 5_000

/** How long to wait for the database and the rate limits, in ms. */
const PATIENCE = 5_000

/**
 * Checks the database: the connection, the version, the clock, the number of connections, and the migrations.
 *
 * @param testsRestore whether to restore the newest backup into a database that is deleted afterwards
 */
export const checkDatabase = async (
  settings: Settings,
  log: Logger,
  testsRestore: boolean,
): Promise<Finding[]> => {
  const check = 'database'
  try {
    await requireData(settings)
  } catch (error) {
    return [warning(check, messageOf(error), 'Start the service once, or correct the setting.')]
  }
  try {
    const located = await joinDatabase(settings, log)
    try {
      return [
        ...(await inspect(settings, located.location)),
        ...(testsRestore ? await testRestore(settings, located.location) : []),
      ]
    } finally {
      await located.stop()
    }
  } catch (error) {
    return [fault(check, explain(error, settings) ?? messageOf(error), 'Correct this first.')]
  }
}

const inspect = async (settings: Settings, location: DatabaseLocation): Promise<Finding[]> => {
  const check = 'database'
  const client = new Client({ ...clientConfig(location), connectionTimeoutMillis: PATIENCE })
  // A connection that breaks is reported by the next query.
  client.on('error', () => {})
  await client.connect()
  try {
    const asked = Date.now()
    const facts = await serverFacts(client)
    const findings = [versionFinding(facts), connectionsFinding(settings, facts)]
    const difference = facts.now.getTime() - asked
    if (Math.abs(difference) > CLOCK)
      findings.push(
        fault(
          'clock',
          `The clock of the database differs by ${Math.round(difference / 1000)} s.`,
          'Synchronize the clocks of both machines, for example with chrony.',
        ),
      )
    if (facts.is_replica)
      findings.push(
        fault(check, 'It is a replica, which refuses writes.', 'Set DATABASE_URL to the primary server.'),
      )
    if (!facts.is_durable && settings.databaseUrl !== undefined)
      findings.push(
        warning(
          check,
          'fsync, full_page_writes or synchronous_commit is off: a crash can lose writes that were confirmed.',
          'Turn them on.',
        ),
      )
    if (settings.preparedStatements) findings.push(...(await statementFindings(client)))
    findings.push(migrationsFinding(await listMigrations(client)))
    return findings
  } finally {
    await client.end()
  }
}

const versionFinding = ({ version, version_text }: ServerFacts): Finding =>
  version < OLDEST
    ? fault('database', `It is PostgreSQL ${version_text}.`, 'Use version 15 or newer.')
    : good('database', `It is PostgreSQL ${version_text}.`)

const connectionsFinding = (
  { webConcurrency, databasePool, databaseUrl }: Settings,
  { max_connections, used }: ServerFacts,
): Finding => {
  const needed = webConcurrency * (databasePool + OUTSIDE_POOL)
  const found = `The server allows ${max_connections} connections, ${used} are open, and this service needs up to ${needed}.`
  return databaseUrl !== undefined && needed > max_connections - 5
    ? fault(
        'database connections',
        found,
        'Raise max_connections, or lower DATABASE_POOL or WEB_CONCURRENCY.',
      )
    : good('database connections', found)
}

/** A pooler that gives each transaction another connection loses prepared statements, unless it knows them. */
const statementFindings = async (client: Client): Promise<Finding[]> => {
  const name = `doctor_${randomUUID()}`
  try {
    for (let round = 0; round < 5; round += 1) await client.query({ name, text: 'select 1' })
    return []
  } catch (error) {
    return [
      fault(
        'database',
        `It loses prepared statements: ${messageOf(error)}`,
        'Set DATABASE_PREPARED_STATEMENTS=0, or update the connection pooler (PgBouncer 1.21 with max_prepared_statements).',
      ),
    ]
  }
}

const migrationsFinding = (applied: readonly string[]): Finding => {
  const check = 'migrations'
  if (isBeforeVersion1(applied))
    return fault(check, 'A version before 1.0.0 has made the database.', BEFORE_VERSION_1)
  const unknown = applied.filter(name => !knownMigrations.includes(name))
  const pending = knownMigrations.filter(name => !applied.includes(name))
  if (unknown.length > 0)
    return warning(
      check,
      `A newer version has migrated the database: ${unknown.join(', ')}.`,
      'Update this version soon.',
    )
  return pending.length > 0
    ? warning(check, `${pending.length} are not applied yet.`, 'The next start of the service applies them.')
    : good(check, 'All are applied.')
}

/** Restores the newest scheduled backup into a new database on the embedded server, and deletes it again. */
const testRestore = async (settings: Settings, location: DatabaseLocation): Promise<Finding[]> => {
  const check = 'test restore'
  const file = settings.databaseUrl === undefined ? await newestBackup(settings) : undefined
  if (file === undefined || 'url' in location)
    return [warning(check, 'There is no scheduled backup.', 'Make one.')]
  const name = `doctor_${randomBytes(6).toString('hex')}`
  const server = { connection: location }
  try {
    await ensureDatabase(server, name)
    const hasFileStore = settings.fileStore !== undefined
    const { manifest } = await restoreBackup({ ...location, database: name }, file, {
      replace: false,
      hasFileStore,
    })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return [good(check, `${file} was restored: ${rows} rows.`)]
  } catch (error) {
    return [fault(check, `${file} cannot be restored: ${messageOf(error)}`, 'Run ./space-site backup FILE.')]
  } finally {
    await dropDatabase(server, name)
  }
}

/** Checks the shared rate limits. */
export const checkRateLimits = async ({ redisUrl, webConcurrency }: Settings): Promise<Finding[]> => {
  const check = 'shared rate limits'
  if (redisUrl === undefined)
    return webConcurrency === 1
      ? []
      : [
          warning(
            check,
            `Each of the ${webConcurrency} processes counts by itself, so callers can make more calls.`,
            'Set REDIS_URL.',
          ),
        ]
  const failed = Promise.withResolvers<Error>()
  const store = await connectRateStore(redisUrl, failed.resolve)
  try {
    const ready = Promise.withResolvers<void>()
    store.client.once('ready', ready.resolve)
    const error = await Promise.race([ready.promise, failed.promise])
    if (error) throw error
    await store.client.ping()
    return [good(check, 'The store at REDIS_URL answers.')]
  } catch (error) {
    return [
      fault(
        check,
        `The store at REDIS_URL does not answer: ${messageOf(error)}`,
        'Start it, or correct REDIS_URL.',
      ),
    ]
  } finally {
    store.close()
  }
}

/** Checks that objects can be written to the file store, read and deleted. */
export const checkFileStore = async ({ fileStore }: Settings): Promise<Finding[]> => {
  if (!fileStore) return []
  const check = 'file store'
  const store = await connectS3(fileStore)
  const key = `doctor-${randomUUID()}`
  const bytes = randomBytes(32)
  const signal = AbortSignal.timeout(4 * PATIENCE)
  const steps: [string, () => Promise<unknown>][] = [
    ['listed', () => store.probe()],
    ['written to', () => store.put(key, bytes, createHash('sha256').update(bytes).digest(), signal)],
    ['read from', async () => requireSame(await store.read(key, 0, bytes.length - 1, signal), bytes)],
    ['cleared', () => store.delete(key, signal)],
  ]
  try {
    for (const [what, step] of fileStore.takesNew ? steps : steps.slice(0, 1))
      try {
        await step()
      } catch (error) {
        return [
          fault(
            check,
            `The bucket cannot be ${what}: ${messageOf(error)}`,
            'Correct the FILE_STORE_ variables, or the permissions of the access key: list, read, write and delete.',
          ),
        ]
      }
    return [good(check, 'Objects can be written, read and deleted.')]
  } finally {
    store.close()
  }
}

/** Checks that the collector of traces accepts connections. */
export const checkCollector = async ({ tracing }: Settings): Promise<Finding[]> => {
  if (!tracing) return []
  const check = 'traces'
  try {
    // Any response will do: collectors refuse an empty body.
    await fetch(tracing.url, { method: 'POST', signal: AbortSignal.timeout(PATIENCE) })
    return [good(check, 'The collector answers.')]
  } catch (error) {
    const reason = error instanceof Error && error.cause ? error.cause : error
    return [
      fault(
        check,
        `${tracing.url} cannot be reached: ${messageOf(reason)}`,
        'Start the collector, or correct the OTEL_ variables.',
      ),
    ]
  }
}

const requireSame = (read: Buffer | undefined, written: Buffer): void => {
  if (!read?.equals(written)) throw new Error('the object differs from what was written')
}
