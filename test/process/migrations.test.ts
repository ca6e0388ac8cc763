import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { expect, inject, it } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { openDatabase } from '../../db/orm.ts'

const FOLDER = new URL('../../db/migrations/', import.meta.url)

const filesOf = async (folder: URL) =>
  Promise.all(
    (await readdir(folder)).map(async name => [name, await readFile(new URL(name, folder), 'utf8')]),
  )

const onServer = async (url: string, ...statements: string[]) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Creates an empty database and returns its address. */
const createDatabase = async () => {
  const { url } = inject('database')
  const name = `migrated_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(url, `create database ${name}`)
  return Object.assign(new URL(url), { pathname: `/${name}` }).href
}

it('migrating returns the names of the migrations that it has applied', async () => {
  const orm = await openDatabase({ url: await createDatabase() })
  expect(await migrate(orm)).toEqual(migrations.map(({ name }) => name))
  expect(await migrate(orm)).toEqual([])
  await orm.close()
})

it('migrating a database that has other schemas changes no source file', async () => {
  const own = await createDatabase()
  const before = await filesOf(FOLDER)
  await onServer(own, 'create schema other', 'create table other.things (id int primary key)')
  const orm = await openDatabase({ url: own })
  await migrate(orm)
  await orm.close()
  expect(await filesOf(FOLDER)).toEqual(before)
})
