import type { Connection } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { PipelinedClient } from '../../db/client.ts'

/** Opens a pipelined connection. Returns functions that run a query and count the received result descriptions. */
const connect = async () => {
  const client = new PipelinedClient({ connectionString: inject('database').url })
  await client.connect()
  onTestFinished(() => client.end())
  const { connection } = client as unknown as { connection: Connection }
  let descriptions = 0
  connection.on('rowDescription', () => descriptions++)
  const run = (text: string, values: unknown[]) => client.run(text.slice(0, 60), text, values)
  return { run, received: () => descriptions }
}

const SELECT = 'select $1::int as number, $2::timestamptz as at, $3::text[] as words'
const row = { number: 1, at: new Date('2026-11-25T07:23:37.700Z'), words: ['a', 'b "c"'] }
const values = [row.number, row.at, row.words]

test('the server describes the result of a statement once per connection', async () => {
  const { run, received } = await connect()
  expect(await run(SELECT, values)).toEqual([row])
  expect(received()).toBe(1)
  expect(await Promise.all([run(SELECT, values), run(SELECT, [2, null, []])])).toEqual([
    [row],
    [{ number: 2, at: null, words: [] }],
  ])
  expect(received()).toBe(1)
})

test('a statement can return several rows, no rows, or no result', async () => {
  const { run } = await connect()
  for (let time = 0; time < 2; time++) {
    expect(await run('select n from generate_series(1, $1::int) as n', [2])).toEqual([{ n: 1 }, { n: 2 }])
    expect(await run('select n from generate_series(1, $1::int) as n', [0])).toEqual([])
    expect(await run('set local role none', [])).toEqual([])
  }
})

test('in the first batch and in later batches, a failing statement does not affect the other statements', async () => {
  const { run } = await connect()
  const divide = (by: number) => run('select 6 / $1::int as result', [by])
  for (let time = 0; time < 2; time++) {
    const outcomes = await Promise.allSettled([divide(0), divide(2), divide(0), divide(3)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await divide(2)).toEqual([{ result: 3 }])
  }
})

test('if the values of a query cannot be sent, only this query fails', async () => {
  const { run } = await connect()
  const value = {
    toPostgres: () => {
      throw new Error('no text')
    },
  }
  await run(SELECT, values)
  const outcomes = await Promise.allSettled([run(SELECT, [value, null, null]), run(SELECT, values)])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: { message: 'no text' } },
    { status: 'fulfilled', value: [row] },
  ])
})
