import { chmod, chown, rm, stat, symlink } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { claimFolder, socketInTemp } from '../../db/embedded/socket.ts'
import { serviceUser } from '../../db/embedded/user.ts'
import { newFolder } from './folders.ts'

/**
 * Creates a data folder and returns `host`, the socket folder for this data folder. `take` requests the socket folder
 * again, and `free` deletes the socket folder.
 */
async function wanted() {
  const data = await newFolder()
  const user = await serviceUser(`${data}/none`)
  const take = async () => {
    const { host } = await socketInTemp(data, user)
    onTestFinished(() => rm(host, { recursive: true, force: true }))
    return host
  }
  const host = await take()
  return { host, take, free: () => rm(host, { recursive: true }) }
}

test('every start with the same data uses the same socket folder', async () => {
  const { host, take } = await wanted()
  expect(await take()).toBe(host)
})

test('an existing socket folder of the same user is closed to other users', async () => {
  const { host, take } = await wanted()
  await chmod(host, 0o777)
  expect(await take()).toBe(host)
  expect((await stat(host)).mode & 0o777).toBe(0o700)
})

test('a symbolic link is not used as the socket folder', async () => {
  const { host, take, free } = await wanted()
  await free()
  const target = await newFolder()
  await symlink(target, host)
  onTestFinished(() => rm(host, { force: true }))
  const other = await take()
  expect(other).not.toBe(host)
  expect((await stat(other)).mode & 0o777).toBe(0o700)
})

test('a folder of another user is not used for the socket', async () => {
  const me = process.getuid?.() ?? 0
  let foreign = '/usr'
  if (me === 0) {
    // Only root can give a folder to another user. A test that runs as another user uses `/usr`, which belongs to root.
    foreign = await newFolder()
    await chown(foreign, 1234, 1234)
  }
  const before = (await stat(foreign)).mode
  expect(await claimFolder(foreign, me)).toBe(false)
  expect((await stat(foreign)).mode).toBe(before)
})
