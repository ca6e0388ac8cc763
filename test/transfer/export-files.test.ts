import { beforeEach, describe, expect, test } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { unpack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

/** Uploads files and returns their ids. The content of each file is its index in `names`. */
const upload = async (...names: string[]): Promise<string[]> => {
  const ids: string[] = []
  for (const [index, name] of names.entries()) {
    const file = { name, content: String(index), encoding: 'text' }
    ids.push((await space.api.post<{ id: string }>('/files', file)).body.id)
  }
  return ids
}

const download = (body: unknown, { subdomain }: { subdomain: string } = space, headers = {}) =>
  fetch(`${service.root}/transfer/${subdomain}/files`, {
    method: 'POST',
    headers: { cookie: mover.cookie, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const downloaded = async (ids: string[]) => {
  const response = await download({ file_ids: ids })
  expect(response.status).toBe(200)
  const files = await unpack(Buffer.from(await response.arrayBuffer()))
  return Object.fromEntries([...files].map(([path, bytes]) => [path, bytes.toString()]))
}

describe('a download of several files', () => {
  test('is an archive of these files alone', async () => {
    const ids = await upload('a.txt', 'b.txt', 'c.txt')
    const response = await download({ file_ids: [ids[0], ids[2]] })
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${space.subdomain}-files-\\d{4}-\\d\\d-\\d\\d\\.zip"$`),
    )
    const archive = Buffer.from(await response.arrayBuffer())
    expect(archive.length).toBe(Number(response.headers.get('content-length')))
    expect([...(await unpack(archive)).keys()]).toEqual(['a.txt', 'c.txt'])
  })

  test('has the bytes of each file unchanged', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => n % 251))
    const { body } = await space.api.post<{ id: string }>('/files', {
      name: 'all.bin',
      content: bytes.toString('base64'),
      encoding: 'base64',
    })
    const archive = Buffer.from(await (await download({ file_ids: [body.id] })).arrayBuffer())
    expect((await unpack(archive)).get('all.bin')!.equals(bytes)).toBe(true)
  })

  test('gives different names to files whose names are equal or differ only in letter case', async () => {
    expect(await downloaded(await upload('A.png', 'a.PNG', 'a-2.png', 'a.png', 'README', 'readme'))).toEqual({
      'A.png': '0',
      'a-3.PNG': '1',
      'a-2.png': '2',
      'a-4.png': '3',
      README: '4',
      'readme-2': '5',
    })
  })

  test('has names that every operating system allows', async () => {
    expect(await downloaded(await upload('a: b?.txt', 'CON.txt', 'nul', 'console.txt', 'end.'))).toEqual({
      'a_ b_.txt': '0',
      '_CON.txt': '1',
      _nul: '2',
      'console.txt': '3',
      end_: '4',
    })
  })

  test('contains a file only once if the request lists it twice', async () => {
    const [id] = await upload('a.txt')
    expect(await downloaded([id!, id!])).toEqual({ 'a.txt': '0' })
  })

  test('is refused if a file was deleted, or belongs to another space', async () => {
    const [id] = await upload('a.txt')
    const other = await service.createSpace()
    const foreign = { name: 'b.txt', content: 'b', encoding: 'text' }
    const { body } = await other.api.post<{ id: string }>('/files', foreign)
    for (const missing of ['2222222222222222', body.id])
      expect(await (await download({ file_ids: [id, missing] })).json()).toMatchObject({
        status: 404,
        code: 'file_not_found',
      })
  })

  test.each([
    ['without a list', {}],
    ['for an empty list', { file_ids: [] }],
    ['for an id that is not text', { file_ids: [1] }],
    ['for more files than a space can have', { file_ids: Array(10_001).fill('2222222222222222') }],
    ['for a body that is not an object', 'ab'],
  ])('is refused %s', async (_what, body) => {
    expect(await (await download(body)).json()).toMatchObject({ status: 422, code: 'validation_failed' })
  })

  test('is refused without a session, from another site, and for a space of other people', async () => {
    const [id] = await upload('a.txt')
    const other = await service.createSpace()
    const code = async (...given: Parameters<typeof download>) => {
      const answer = await download(...given)
      return ((await answer.json()) as { code: string }).code
    }
    const body = { file_ids: [id] }
    expect(await code(body, space, { cookie: '' })).toBe('sign_in_required')
    expect(await code(body, space, { 'sec-fetch-site': 'cross-site' })).toBe('cross_site_request')
    expect(await code(body, other)).toBe('space_not_found')
  })
})
