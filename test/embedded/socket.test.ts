import { chmod, chown, rm, stat, symlink } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { claimFolder, socketInTemp } from '../../db/embedded/socket.ts'
import { serviceUser } from '../../db/embedded/user.ts'
import { freshFolder } from './folders.ts'

/** The folder that is taken first for a data folder, not made yet. */
async function wanted() {
  const data = await freshFolder()
  const user = await serviceUser(`${data}/none`)
  const take = async () => {
    const { host } = await socketInTemp(data, user)
    onTestFinished(() => rm(host, { recursive: true, force: true }))
    return host
  }
  const host = await take()
  return { host, take, free: () => rm(host, { recursive: true }) }
}

test('the folder is the same from start to start, so that none pile up', async () => {
  const { host, take } = await wanted()
  expect(await take()).toBe(host)
})

test('a folder of our own that others could enter is closed', async () => {
  const { host, take } = await wanted()
  await chmod(host, 0o777)
  expect(await take()).toBe(host)
  expect((await stat(host)).mode & 0o777).toBe(0o700)
})

test('a link in its place is not followed', async () => {
  const { host, take, free } = await wanted()
  await free()
  const target = await freshFolder()
  await symlink(target, host)
  onTestFinished(() => rm(host, { force: true }))
  const other = await take()
  expect(other).not.toBe(host)
  expect((await stat(other)).mode & 0o777).toBe(0o700)
})

test("another user's folder in its place is left alone", async () => {
  const me = process.getuid?.() ?? 0
  let foreign = '/usr'
  if (me === 0) {
    // Only root can make a folder somebody else's; for everybody else root's are.
    foreign = await freshFolder()
    await chown(foreign, 1234, 1234)
  }
  const before = (await stat(foreign)).mode
  expect(await claimFolder(foreign, me)).toBe(false)
  expect((await stat(foreign)).mode).toBe(before)
})
