/** Starts the database in the given folder and prints the number of each committed row until it is killed. */
import { Client } from 'pg'
import { ensureDatabase, startEmbeddedPostgres } from '../../../db/embedded/postgres.ts'

const server = await startEmbeddedPostgres({ folder: process.argv[2]! })
await ensureDatabase(server, 'written')
const client = new Client({ ...server.connection, database: 'written' })
await client.connect()
await client.query('create table if not exists row (id int generated always as identity, said text)')
for (;;) {
  const { rows } = await client.query('insert into row (said) values (repeat($1, 1000)) returning id', ['x'])
  process.stdout.write(`${rows[0].id}\n`)
}
