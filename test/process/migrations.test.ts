import { readdir, readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { expect, inject, it } from 'vitest'
import { migrate } from '../../db/migrate.ts'
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

it('migrating a database that has other schemas changes no source file', async () => {
  const { url } = inject('database')
  const name = `migrated_${crypto.randomUUID().replaceAll('-', '')}`
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href
  const before = await filesOf(FOLDER)
  await onServer(url, `create database ${name}`)
  await onServer(own, 'create schema other', 'create table other.things (id int primary key)')
  const orm = await openDatabase({ url: own })
  await migrate(orm)
  await orm.close()
  expect(await filesOf(FOLDER)).toEqual(before)
})
