import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createBackup } from '../../db/backup/create.ts'
import { restoreBackup } from '../../db/backup/restore.ts'
import { Database } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { migrations } from '../../db/migrations.ts'
import { OperatorError } from '../../db/operator-error.ts'
import { describeDatabase, newFolder } from '../backup/support/databases.ts'

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
  const database = await Database.open({ url: await createDatabase() })
  expect(await migrate(database)).toEqual(migrations.map(({ name }) => name))
  expect(await migrate(database)).toEqual([])
  await database.close()
})

describe('a database of a version before 1.0.0', () => {
  const old = async () => {
    const url = await createDatabase()
    await onServer(
      url,
      'create table mikro_orm_migrations (id serial primary key, name varchar(255) not null, executed_at timestamptz(6) not null default now())',
      `insert into mikro_orm_migrations (name) values ('Migration20261121000000_first')`,
      'create table accounts (id text)',
    )
    return url
  }

  it('is refused at the start, which says what to do and changes nothing', async () => {
    const url = await old()
    const before = await describeDatabase(url)
    const database = await Database.open({ url })
    const start = migrate(database, () => Promise.reject(new Error('This is no update.')))
    await expect(start).rejects.toThrow(
      'A version before 1.0.0 has made this database, so this version cannot use it. Nothing was changed. Start the earlier version, export each space',
    )
    await expect(start).rejects.toThrow(OperatorError)
    await database.close()
    expect(await describeDatabase(url)).toEqual(before)
  })

  it('is refused by a restore, and so is a backup of it', async () => {
    const url = await old()
    const folder = await newFolder()
    const own = path.join(folder, 'own.backup')
    const { url: server, template } = inject('database')
    await createBackup({ url: Object.assign(new URL(server), { pathname: `/${template}` }).href }, own)
    await expect(restoreBackup({ url }, own, { replace: false })).rejects.toThrow(
      'The database belongs to a version before 1.0.0.',
    )
    const older = path.join(folder, 'older.backup')
    await createBackup({ url }, older)
    await expect(restoreBackup({ url: await createDatabase() }, older, { replace: false })).rejects.toThrow(
      'The backup is from a version before 1.0.0, so this version cannot restore it.',
    )
  })
})

it('migrating does not change the folder of migrations, even if the database has other schemas', async () => {
  const own = await createDatabase()
  const before = await filesOf(FOLDER)
  await onServer(own, 'create schema other', 'create table other.things (id int primary key)')
  const database = await Database.open({ url: own })
  await migrate(database)
  await database.close()
  expect(await filesOf(FOLDER)).toEqual(before)
})

/** Creates the tables of version 1.0.0. After each later migration, the previous version must still work. */
const FIRST = 'Migration20261128001000_version_1'

/** Statements that make the previous version fail while its processes run beside those of the new version. */
const INCOMPATIBLE: Record<string, RegExp> = {
  'drops a table or column': /\bdrop (table|column)\b|\bdrop "/i,
  'renames something': /\brename\b/i,
  'changes a type': /\balter column \S+ (set data )?type\b/i,
  'requires a value that the previous version does not write':
    /\bset not null\b|\badd (column )?"[^,;]*\bnot null\b(?![^,;]*\bdefault\b)/i,
  'removes a default': /\bdrop default\b/i,
  'restricts existing columns': /\balter table\b[^;]*\badd constraint\b[^;]*\b(check|unique|foreign key)\b/i,
  'makes existing columns unique': /\bcreate unique index\b/i,
}

const statementsOf = (code: string) =>
  [...code.matchAll(/addSql\(\s*(?:`([^`]*)`|'([^']*)')/g)].map(match => match[1] ?? match[2]!)

/** If a statement adds a check constraint for an enumeration, returns the constraint's name and the allowed values. */
const enumerationIn = (statement: string) => {
  const [, name, values] = /\badd constraint "(\w+)" check \("\w+" in \(([^()]*)\)\);$/.exec(statement) ?? []
  return name === undefined ? undefined : { name, values: values!.split(', ') }
}

/** Whether a statement replaces the check of an enumeration with one that still allows all earlier values. */
const isWiderCheck = (statement: string, statements: readonly string[], earlier: readonly string[]) => {
  const added = enumerationIn(statement)
  const known = earlier
    .map(enumerationIn)
    .findLast(check => check !== undefined && check.name === added?.name)
  return (
    statements.some(drop => drop.endsWith(` drop constraint "${added?.name}";`)) &&
    known?.values.every(value => added?.values.includes(value)) === true
  )
}

/**
 * Whether a statement makes an existing foreign key refer to a new table, without breaking the previous version of the
 * service. For this, the migration must do three things:
 *
 * - create the new table;
 * - fill the new table with a query;
 * - create a trigger that adds later rows to the new table, because the previous version does not know the new table.
 */
const isMovedKey = (statement: string, statements: readonly string[], created: readonly string[]) => {
  const [, table, name, target] =
    /^alter table "(\w+)" add constraint "(\w+)" foreign key \("\w+"\) references "(\w+)"/.exec(statement) ??
    []
  const isFilledBy = (row: string) =>
    statements.some(other => other.includes(`insert into "${target}" `) && other.includes(row))
  return (
    created.includes(target!) &&
    statements.includes(`alter table "${table}" drop constraint "${name}";`) &&
    isFilledBy(' returns trigger ') &&
    isFilledBy(' select ')
  )
}

/**
 * Returns the ways in which a migration breaks the previous version. Restrictions on tables that the migration creates,
 * new values of an enumeration and moved foreign keys are allowed.
 *
 * @param before the code of the earlier migrations
 */
const faultsOf = (code: string, before = ''): string[] => {
  const statements = statementsOf(code)
  const earlier = statementsOf(before)
  const created = statements.flatMap(statement => /^create table "(\w+)"/.exec(statement)?.[1] ?? [])
  const onOld = statements.filter(
    statement =>
      !isWiderCheck(statement, statements, earlier) &&
      !isMovedKey(statement, statements, created) &&
      !created.some(name =>
        new RegExp(`^(create|alter) (table|(unique )?index)[^(]*"${name}"`).test(statement),
      ),
  )
  return Object.entries(INCOMPATIBLE).flatMap(([fault, pattern]) =>
    onOld.some(statement => pattern.test(statement)) ? [fault] : [],
  )
}

it.each(migrations.map(({ name }) => name).filter(name => name > FIRST))(
  'the previous version works after %s',
  async name => {
    const names = migrations.map(migration => migration.name).filter(other => other <= name)
    const codes = await Promise.all(names.map(other => readFile(new URL(`${other}.ts`, FOLDER), 'utf8')))
    expect(faultsOf(codes.at(-1)!, codes.slice(0, -1).join('\n'))).toEqual([])
  },
)

it('the check of migrations allows an enumeration to get further values, but not to lose one', () => {
  const sql = (...statements: string[]) => statements.map(text => `this.addSql(\`${text}\`)`).join('\n')
  const check = (...values: string[]) =>
    `alter table "files" add constraint "c" check ("kind" in (${values.map(value => `'${value}'`).join(', ')}));`
  const drop = 'alter table "files" drop constraint "c";'
  const before = sql(check('a', 'b'))
  expect(faultsOf(sql(drop, check('a', 'b', 'c')), before)).toEqual([])
  expect(faultsOf(sql(drop, check('a', 'c')), before)).toEqual(['restricts existing columns'])
  expect(faultsOf(sql(check('a', 'b', 'c')), before)).toEqual(['restricts existing columns'])
  expect(faultsOf(sql(drop, check('a', 'b', 'c')))).toEqual(['restricts existing columns'])
})

it('the check of migrations lets a foreign key refer to a new table only if triggers fill the new table', () => {
  const create = 'create table "names" ("id" text not null);'
  const drop = 'alter table "files" drop constraint "k";'
  const fill = 'insert into "names" ("id") select "id" from "spaces";'
  const trigger =
    'create function "f"() returns trigger language plpgsql as $$ begin insert into "names" values (new."id"); end $$;'
  const add = 'alter table "files" add constraint "k" foreign key ("id") references "names" ("id");'
  const faults = (...statements: string[]) =>
    faultsOf(statements.map(statement => `this.addSql(\`${statement}\`)`).join('\n'))
  const all = [create, drop, fill, trigger, add]
  expect(faults(...all)).toEqual([])
  for (const missing of [create, drop, fill, trigger])
    expect(faults(...all.filter(statement => statement !== missing))).toEqual(['restricts existing columns'])
})

it('the check of migrations finds statements that break the previous version', () => {
  const faults = (...statements: string[]) =>
    faultsOf(statements.map(statement => `this.addSql(\`${statement}\`)`).join('\n'))
  expect(faults('alter table "files" drop column "bytes";')).toEqual(['drops a table or column'])
  expect(faults('alter table "files" rename column "a" to "b";')).toEqual(['renames something'])
  expect(faults('alter table "files" alter column "size" type bigint;')).toEqual(['changes a type'])
  expect(faults('alter table "files" add "a" text not null;')).toHaveLength(1)
  expect(faults('alter table "files" add "a" text not null, add "b" text not null default 1;')).toHaveLength(
    1,
  )
  expect(faults('alter table "files" alter column "a" set not null;')).toHaveLength(1)
  expect(faults('alter table "files" add constraint "c" check ("size" > 1);')).toHaveLength(1)
  expect(faults('create unique index "i" on "files" ("name");')).toHaveLength(1)
  expect(
    faults(
      'alter table "files" add "a" text null, add "b" int not null default 0;',
      'alter table "files" alter column "name" drop not null;',
      'create index "i" on "files" ("a");',
      'create table "notes" ("id" text not null primary key, "file_id" text not null);',
      'alter table "notes" add constraint "n" foreign key ("file_id") references "files" ("id");',
      'create unique index "u" on "notes" ("file_id");',
    ),
  ).toEqual([])
})
