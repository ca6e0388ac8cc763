import { afterEach, describe, expect, it } from 'vitest'
import { sqlOf } from '../../db/orm.ts'
import { useWorld } from '../support/world.ts'
import { pngOf } from './support/png.ts'

const world = useWorld()

/** Renames a column that only the response reads. */
const rename = (from: string, to: string) =>
  sqlOf(world.service.core.orm).schema.alterTable('accounts').renameColumn(from, to).execute()

let isMislaid = false
const mislay = async () => {
  await rename('bio', 'mislaid_bio')
  isMislaid = true
}
const tidyUp = async () => {
  if (isMislaid) await rename('mislaid_bio', 'bio')
  isMislaid = false
}
afterEach(tidyUp)

describe('a profile update that fails before its response', () => {
  it.each([
    ['PATCH', '/me', { display_name: 'New' }],
    ['PUT', '/me/icon', { png: pngOf().toString('base64') }],
  ] as const)('stays as it was: %s %s', async (method, path, body) => {
    const { api } = await world.person()
    await api.patch('/me', { display_name: 'Before' })
    const before = (await api.get('/me')).body
    await mislay()
    const send = (path: string, body: unknown) =>
      method === 'PUT' ? api.put(path, body) : api.patch(path, body)
    expect((await send(path, body)).body.code).toBe('internal_error')
    await tidyUp()
    expect((await api.get('/me')).body).toEqual(before)
    expect((await send(path, body)).status).toBe(200)
    expect((await api.get('/me')).body).not.toEqual(before)
  })
})
