import { isDeepStrictEqual } from 'node:util'
import { Client, escapeIdentifier } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { clientConfig, type DatabaseLocation } from '../database.ts'
import { ownTables, unsavedTables } from '../entities.ts'
import { migrations } from '../migrations.ts'
import { OperatorError } from '../operator-error.ts'
import {
  countObjects,
  listMigrations,
  listSequences,
  listTables,
  MIGRATIONS_TABLE,
  type Table,
} from './catalog.ts'
import type { Manifest, OnProgress } from './format.ts'
import { readBackupFile } from './read-file.ts'
import { type TableData, writeBackupFile } from './write-file.ts'

/** Maximum number of attempts. An attempt fails if a migration changes the tables while they are being locked. */
const ATTEMPTS = 5

/** Options for creating a backup. */
interface CreateOptions {
  onProgress?: OnProgress
  /** Stops the backup and deletes what has been written. */
  signal?: AbortSignal
}

/** The result of creating a backup. */
export interface CreatedBackup {
  manifest: Manifest
  /** Tables that no migration of the service created. They are left out. */
  skipped: string[]
  /** Number and total size of the blobs whose bytes are in the file store and not in the backup. */
  outside: { count: number; bytes: number }
}

/**
 * Writes a snapshot of everything in the database to a file, and verifies the file. The backup does not block writes
 * and is not blocked by them; only migrations wait.
 *
 * @throws OperatorError when there is nothing to back up, a table cannot be backed up, or the file exists or cannot be
 * written
 */
export const createBackup = async (
  location: DatabaseLocation,
  file: string,
  { onProgress = () => {}, signal = new AbortController().signal }: CreateOptions = {},
): Promise<CreatedBackup> => {
  const client = new Client({ ...clientConfig(location), application_name: 'space-site backup' })
  await client.connect()
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const { applied, tables } = await beginSnapshot(client)
    const isCurrent = isDeepStrictEqual(
      applied,
      migrations.map(({ name }) => name),
    )
    if (isCurrent) requireAll(tables)
    const isOurs = ({ name }: Table) => !isCurrent || ownTables.includes(name)
    const included = tables.filter(isOurs)
    let done = 0
    /** Estimated size of the tables that have not been read yet. */
    let later = included.reduce((sum, { size }) => sum + size, 0)
    async function* dataOf(name: string): TableData {
      const { columnNames, size } = included.find(table => table.name === name)!
      let left = size
      later -= size
      const data = copyOut(client, name, columnNames)
      let next = await data.next()
      for (; !next.done; next = await data.next()) {
        done += next.value.length
        // The database stores long values compressed, so a table can yield more bytes than its estimated size.
        left = Math.max(0, left - next.value.length)
        onProgress({ phase: 'writing', table: name, done, total: done + left + later })
        yield next.value
      }
      return next.value
    }
    const header = {
      created_at: new Date().toISOString(),
      migrations: applied,
      tables: included.map(({ name, columns }) => ({ name, columns })),
    }
    let manifest: Manifest | undefined
    const check = async (temporary: string) => {
      const onRead = (done: number, size: number, table: string | undefined) =>
        onProgress({ phase: 'verifying', table, done, total: size })
      ;({ manifest } = await readBackupFile(temporary, { onRead }))
    }
    const sequences = () => readSequences(client, included)
    await writeBackupFile(file, { header, dataOf, sequences }, check, signal)
    const outside = isCurrent ? await countObjects(client) : { count: 0, bytes: 0 }
    await client.query('commit')
    const skipped = tables.filter(table => !isOurs(table)).map(({ name }) => name)
    return { manifest: manifest!, skipped, outside }
  } finally {
    await client.end()
  }
}

/**
 * Begins a transaction that sees a snapshot of the database, and lists its tables. Locks the tables before it
 * takes the snapshot, so that no migration rewrites them: a table that is rewritten after the snapshot would
 * look empty.
 */
const beginSnapshot = async (client: Client): Promise<{ applied: string[]; tables: Table[] }> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const names = await tableNames(client)
    if (!names.includes(MIGRATIONS_TABLE))
      throw new OperatorError('The database is empty: the service has never used it.')
    await client.query('begin isolation level repeatable read, read only')
    try {
      // The first query after this statement takes the snapshot; by then, the locks are held.
      await client.query(`lock table ${names.map(escapeIdentifier).join(', ')} in access share mode`)
    } catch (error) {
      await client.query('rollback')
      if (isMissingTable(error)) continue
      throw error
    }
    const applied = await listMigrations(client)
    const tables = await listTables(client)
    if (tables.length === names.length && tables.every(({ name }) => names.includes(name)))
      return { applied, tables: tables.filter(({ name }) => name !== MIGRATIONS_TABLE) }
    await client.query('rollback')
  }
  throw new OperatorError('The service is migrating its tables. Try again when the service has started.')
}

/** Throws if a table of the service was not found. A backup without it would look complete. */
const requireAll = (tables: readonly Table[]) => {
  const missing = ownTables.filter(own => !tables.some(({ name }) => name === own))
  if (missing.length > 0)
    throw new OperatorError(
      `These tables are partitioned or missing: ${missing.join(', ')}. Back up the database with PostgreSQL’s own tools instead.`,
    )
}

const tableNames = async (client: Client) => (await listTables(client)).map(({ name }) => name)

const isMissingTable = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42P01'

/**
 * Yields a table's rows in PostgreSQL's binary format, and returns their number. Yields no rows of a table whose rows
 * are never saved.
 */
async function* copyOut(client: Client, table: string, columns: string[]): TableData {
  const list = columns.map(escapeIdentifier).join(', ')
  const rows = `select ${list} from ${escapeIdentifier(table)} where ${!unsavedTables.includes(table)}`
  const stream = client.query(copyTo(`copy (${rows}) to stdout (format binary)`))
  // The library does not notice if the connection ends during a copy.
  const onEnd = () => stream.destroy(new OperatorError('The database ended the connection.'))
  client.once('end', onEnd)
  client.once('error', onEnd)
  try {
    for await (const chunk of stream) yield chunk as Buffer
  } finally {
    client.off('end', onEnd)
    client.off('error', onEnd)
  }
  return stream.rowCount
}

const readSequences = async (client: Client, tables: Table[]): Promise<Manifest['sequences']> => {
  const sequences: Manifest['sequences'] = []
  for (const { table, column, sequence } of await listSequences(client)) {
    if (!tables.some(({ name }) => name === table)) continue
    const { rows } = await client.query<{ value: string; is_called: boolean }>(
      `select last_value::text as value, is_called from ${escapeIdentifier(sequence)}`,
    )
    sequences.push({ table, column, ...rows[0]! })
  }
  return sequences
}
