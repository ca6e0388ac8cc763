import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client, escapeIdentifier } from 'pg'
import { inject, onTestFinished } from 'vitest'

/** Runs a query on a database. */
export const ask = async <Row>(url: string, text: string): Promise<Row[]> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Creates an empty database on the server of the tests and returns its URL. */
export const emptyDatabase = async (): Promise<string> => {
  const { url } = inject('database')
  const name = `restored_${crypto.randomUUID().replaceAll('-', '')}`
  await ask(url, `create database ${name}`)
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

/** Creates a folder that is removed after the test. */
export const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'space-site-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

const COLUMNS = `
  select table_name || '.' || column_name || ' ' || udt_name || ' ' || is_nullable || ' ' || coalesce(column_default, '') as column
  from information_schema.columns where table_schema = 'public' order by 1`

/**
 * Returns the columns of all tables, and the row count and a digest of the rows of each table. Ignores the rows that
 * record applied migrations, because they contain times.
 */
export const describeDatabase = async (url: string) => {
  const columns = (await ask<{ column: string }>(url, COLUMNS)).map(({ column }) => column)
  const tables = await ask<{ name: string }>(
    url,
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'mikro_orm_migrations' order by 1`,
  )
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    const from = escapeIdentifier(name)
    const [row] = await ask<{ digest: string }>(
      url,
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest from ${from} as t`,
    )
    rows[name] = row!.digest
  }
  return { columns, rows }
}
