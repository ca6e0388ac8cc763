/** Starts the database in the given folder. On SIGINT, runs one more query, then stops the database. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../../db/embedded/postgres.ts'

const server = await startEmbeddedPostgres({ folder: process.argv[2]!, durable: false })
const client = new Client({ ...server.connection, database: 'postgres' })
await client.connect()
const interrupted = once(process, 'SIGINT')
process.stdout.write('ready\n')
await interrupted
// The signal must not reach the server. If it did, the server stops during this pause, and the query below fails.
await sleep(500)
const { rows } = await client.query("select 'still works' as said")
process.stdout.write(`${rows[0].said}\n`)
await client.end()
await server.stop()
process.stdout.write('stopped\n')
