import { afterEach, describe, expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { pngOf } from './support/png.ts'

const service = useTestService()

/** Renames a column that only the response needs, so that a write succeeds but its response cannot be built. */
const rename = (from: string, to: string) =>
  service.core.database.schema.alterTable('accounts').renameColumn(from, to).execute()

let isHidden = false
const hideBio = async () => {
  await rename('bio', 'hidden_bio')
  isHidden = true
}
const restoreBio = async () => {
  if (isHidden) await rename('hidden_bio', 'bio')
  isHidden = false
}
afterEach(restoreBio)

describe('a profile update whose response cannot be built', () => {
  it.each([
    ['PATCH', '/me', { display_name: 'New' }],
    ['PUT', '/me/icon', { png: pngOf().toString('base64') }],
  ] as const)('changes nothing: %s %s', async (method, path, body) => {
    const { api } = await service.signUp()
    await api.patch('/me', { display_name: 'Before' })
    const before = (await api.get('/me')).body
    await hideBio()
    const send = (path: string, body: unknown) =>
      method === 'PUT' ? api.put(path, body) : api.patch(path, body)
    expect((await send(path, body)).body.code).toBe('internal_error')
    await restoreBio()
    expect((await api.get('/me')).body).toEqual(before)
    expect((await send(path, body)).status).toBe(200)
    expect((await api.get('/me')).body).not.toEqual(before)
  })
})
