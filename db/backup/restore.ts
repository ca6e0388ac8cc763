import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { Client, escapeIdentifier } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { advisoryLocks } from '../advisory-locks.ts'
import { clientConfig, Database, type DatabaseLocation } from '../database.ts'
import { ownTables } from '../entities.ts'
import { BEFORE_VERSION_1, isBeforeVersion1 } from '../migrations.ts'
import { OperatorError } from '../operator-error.ts'
import { applyMigrations, knownMigrations } from './apply-migrations.ts'
import {
  countObjects,
  listDependent,
  listMigrations,
  listTables,
  MIGRATIONS_TABLE,
  type Table,
} from './catalog.ts'
import type { Header, Manifest, OnProgress } from './format.ts'
import { readBackupFile } from './read-file.ts'

/** Options of a restore. */
interface RestoreOptions {
  /** Whether existing content of the database may be deleted. */
  replace: boolean
  /** Whether a file store is configured. Without one, only a backup that has the bytes of all files can be restored. */
  hasFileStore?: boolean
  onProgress?: OnProgress
}

/** What was restored. */
export interface RestoredBackup {
  manifest: Manifest
  /** Number and total size of the blobs whose bytes are in the file store. */
  outside: { count: number; bytes: number }
  /** Tables that were left, and that another version of the service or another program has created. */
  left: string[]
}

/**
 * Verifies a backup and restores it in one transaction: creates the tables as they were, fills them, and applies the
 * migrations that are newer than the backup.
 *
 * @throws OperatorError when the file is not a complete backup that this version can restore, or when the database is in
 *   use, or is not empty and `replace` is false; the database's error when a statement fails. A failed restore leaves
 *   the database unchanged.
 */
export const restoreBackup = async (
  location: DatabaseLocation,
  file: string,
  { replace, hasFileStore = false, onProgress = () => {} }: RestoreOptions,
): Promise<RestoredBackup> => {
  const report =
    (phase: 'verifying' | 'restoring') => (done: number, total: number, table: string | undefined) =>
      onProgress({ phase, table, done, total })
  const { header } = await readBackupFile(file, { onRead: report('verifying') })
  requireKnown(header)
  const client = new Client({ ...clientConfig(location), application_name: 'space-site restore' })
  await client.connect()
  const database = await Database.open(location)
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await requireAlone(client)
    await client.query('begin')
    // A service that starts during the restore waits for this lock.
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migration])
    const left = await dropTables(client, header, replace)
    await applyMigrations(client, database, header.migrations)
    const tables = await listTables(client)
    requireSameTables(header, tables)
    // The backup already contains the rows that triggers would insert.
    await setTriggers(client, header, 'disable')
    const onHeader = (again: Header) => {
      if (!isDeepStrictEqual(again, header)) throw new OperatorError(`${file} was changed while it was read.`)
    }
    const onTable = (name: string, data: AsyncIterable<Buffer>) =>
      copyIn(client, tables.find(table => table.name === name)!, data)
    const { manifest } = await readBackupFile(file, { onHeader, onTable, onRead: report('restoring') })
    for (const { table, column, value, is_called } of manifest.sequences)
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint, $4)', [
        escapeIdentifier(table),
        column,
        value,
        is_called,
      ])
    await setTriggers(client, header, 'enable')
    const newer = knownMigrations.filter(name => !header.migrations.includes(name))
    await applyMigrations(client, database, newer)
    const outside = await countObjects(client)
    if (outside.count > 0 && !hasFileStore)
      throw new OperatorError(
        `The bytes of ${outside.count} files are not in this backup, but in a file store. Set FILE_STORE_URL to the bucket that they are in.`,
      )
    await client.query('commit')
    await client.query('analyze')
    return { manifest, outside, left }
  } finally {
    // Closing the connection rolls the transaction back unless it was committed.
    await client.end()
    await database.close()
  }
}

/** Refuses a backup with migrations that this version does not have. */
const requireKnown = ({ migrations }: Header) => {
  if (isBeforeVersion1(migrations))
    throw new OperatorError(
      `The backup is from a version before 1.0.0, so this version cannot restore it. Restore it with the version that wrote it. ${BEFORE_VERSION_1}`,
    )
  const unknown = migrations.find((name, index) => knownMigrations[index] !== name)
  if (unknown !== undefined)
    throw new OperatorError(
      `The backup is from a newer version of Space Site: this version does not know the migration ${unknown}. Update first.`,
    )
}

/** Throws if other connections exist. A service that is running would still serve cached pages of the old content. */
const requireAlone = async (client: Client) => {
  const { rows } = await client.query<{ name: string }>(
    `select distinct coalesce(nullif(application_name, ''), usename::text) as name from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename is not null`,
  )
  if (rows.length > 0)
    throw new OperatorError(
      `The database is in use (${rows.map(({ name }) => name).join(', ')}). Stop the service and close other connections first.`,
    )
}

/**
 * Drops the service's tables. Throws if tables with these names belong to another program, or, unless `replace` is true,
 * if rows would be lost or the database belongs to another version of the service.
 *
 * @returns the tables that were left although the other version may have created them
 */
const dropTables = async (client: Client, header: Header, replace: boolean): Promise<string[]> => {
  const own = new Set([...header.tables.map(({ name }) => name), ...ownTables])
  const existing = (await listTables(client)).map(({ name }) => name)
  const dropped = existing.filter(name => own.has(name))
  const applied = await listMigrations(client)
  if (applied.length === 0 && dropped.length > 0)
    throw new OperatorError(
      `The database has tables of another program (${dropped.join(', ')}). Use another database.`,
    )
  const isOther = applied.some(name => !knownMigrations.includes(name))
  if (isOther && !replace)
    throw new OperatorError(
      isBeforeVersion1(applied)
        ? 'The database belongs to a version before 1.0.0. Use an empty database, or add --replace to delete what is in it.'
        : 'The database belongs to a newer version of Space Site. Update first, or add --replace to delete what is in it.',
    )
  // A table that refers to one of ours is ours, too: only another migration can have created it.
  if (isOther) dropped.push(...(await listDependent(client, dropped)))
  const left = existing.filter(name => !dropped.includes(name) && name !== MIGRATIONS_TABLE)
  if (!replace) {
    const filled = await namesOfFilled(client, dropped)
    if (filled.length > 0)
      throw new OperatorError(
        `The database is not empty (${filled.join(', ')}). Add --replace to delete what is in it.`,
      )
  }
  if (applied.length > 0) dropped.push(MIGRATIONS_TABLE)
  if (dropped.length > 0) await client.query(`drop table ${dropped.map(escapeIdentifier).join(', ')}`)
  return isOther ? left : []
}

const namesOfFilled = async (client: Client, tables: string[]): Promise<string[]> => {
  const filled: string[] = []
  for (const name of tables)
    if ((await client.query(`select from ${escapeIdentifier(name)} limit 1`)).rowCount) filled.push(name)
  return filled
}

/** Throws unless the backup has the tables and columns that its migrations create. */
const requireSameTables = (header: Header, tables: Table[]) => {
  const own = new Set([...header.tables.map(({ name }) => name), ...ownTables])
  const shape = (list: { name: string; columns: string[] }[]) =>
    list
      .filter(({ name }) => own.has(name))
      .map(({ name, columns }) => `${name}: ${columns.join(', ')}`)
      .toSorted()
  const expected = shape(tables)
  const found = shape(header.tables)
  const difference = [...expected, ...found].find(line => expected.includes(line) !== found.includes(line))
  if (difference !== undefined)
    throw new OperatorError(
      `The tables in the backup do not match the migrations that the backup lists: ${difference}`,
    )
}

/** Switches the triggers of the service's tables off or on, except those of foreign keys. */
const setTriggers = async (client: Client, { tables }: Header, state: 'disable' | 'enable') => {
  for (const { name } of tables)
    await client.query(`alter table ${escapeIdentifier(name)} ${state} trigger user`)
}

/** Copies data into a table and returns the number of rows. */
const copyIn = async (client: Client, { name, columnNames }: Table, data: AsyncIterable<Buffer>) => {
  const list = columnNames.map(escapeIdentifier).join(', ')
  const stream = client.query(copyFrom(`copy ${escapeIdentifier(name)} (${list}) from stdin (format binary)`))
  await pipeline(Readable.from(data), stream)
  return stream.rowCount
}
