import { readdir, readlink } from 'node:fs/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { beforeStatement } from '../support/statements.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { useMover } from './support/browser-session.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
  await space.api.post('/pages', { slug: 'home', html: 'x' })
  await space.api.post('/parts', { name: 'nav', html: 'x' })
})

/** Returns the open files of this process that are archives. */
const openArchives = async () => {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return links.filter(link => link.includes('space-site-transfer-'))
}

test.each([
  ['before the content is read', /^set transaction isolation level repeatable read/],
  ['while the content is read', /from "parts"/],
  ['before the export is recorded', /^insert into "audit_events"/],
])('an export is refused if the space is deleted %s', async (_when, statement) => {
  let isDeleted = false
  beforeStatement(statement, async () => {
    const db = service.core.database
    await db.deleteFrom('space_names').where('subdomain', '=', space.subdomain).execute()
    isDeleted = true
  })
  const response = await mover.download(space.subdomain)
  expect(await response.json()).toMatchObject({ status: 404, code: 'space_not_found' })
  expect(isDeleted).toBe(true)
})

test('an export that fails leaves no archive open', async () => {
  beforeStatement(/from "parts"/, () => Promise.reject(new Error('planted')))
  const response = await mover.download(space.subdomain)
  expect(await response.json()).toMatchObject({ code: 'internal_error' })
  await vi.waitFor(async () => expect(await openArchives()).toEqual([]), { timeout: 60_000 })
})
