import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure, NoAccess, NoCredential } from '../failure.ts'
import { createWhole } from '../folder/disk.ts'
import { isRunning } from '../folder/memory.ts'
import { parseAddress, type SpaceAddress } from './address.ts'
import { type Credential, keyCredential } from './credential.ts'
import { type Grant, refreshGrant } from './grants.ts'

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

/** A key, or what was granted in the browser. */
export type Stored = string | Grant

/** What is stored, by origin, and then by the address of the space. */
type Keys = Record<string, Record<string, Stored>>

const fileOf = (env: Env): string => {
  const base =
    env.XDG_CONFIG_HOME ||
    (process.platform === 'win32' && env.APPDATA) ||
    path.join(env.HOME || os.homedir(), '.config')
  return path.join(base, 'space-site', 'keys.json')
}

const read = async (env: Env): Promise<Keys> => {
  const file = fileOf(env)
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Keys
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Failure(`The stored keys in ${file} cannot be read; delete this file and run space login.`)
  }
}

const write = async (env: Env, keys: Keys): Promise<void> => {
  const file = fileOf(env)
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, JSON.stringify(keys, null, 2), { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, file)
}

/** How often to try to be the only command that changes what is stored, and the wait in between, in ms. */
const ATTEMPTS = 600
const PAUSE = 50

/** Runs work while no other command changes what is stored. A token must not be refreshed by two commands. */
const alone = async <Result>(env: Env, work: () => Promise<Result>): Promise<Result> => {
  const lock = `${fileOf(env)}.lock`
  await mkdir(path.dirname(lock), { recursive: true, mode: 0o700 })
  for (let attempt = 1; !(await createWhole(lock, Buffer.from(String(process.pid)))); attempt++) {
    if (attempt === ATTEMPTS)
      throw new Failure(`Another command does not finish; if there is none, delete ${lock}.`)
    const holder = await readFile(lock, 'utf8').catch(() => null)
    // A command that was killed has left it.
    if (holder !== null && !isRunning(Number(holder))) await rm(lock, { force: true })
    else await wait(PAUSE)
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

const storedIn = (keys: Keys, { address, origin }: SpaceAddress): Stored | undefined =>
  Object.hasOwn(keys, origin) && Object.hasOwn(keys[origin]!, address) ? keys[origin]![address] : undefined

/** Time before its end at which a token is renewed, in ms. */
const EARLY = 60_000

/** A grant, whose tokens are renewed when they end. */
const grantCredential = (env: Env, at: SpaceAddress, request: typeof fetch): Credential => {
  const current = async () => {
    const stored = storedIn(await read(env), at)
    if (typeof stored !== 'object')
      throw new NoAccess(`You are not signed in any more; run: space login ${at.address}`)
    return stored
  }
  const renewed = (refused: string) =>
    alone(env, async () => {
      const grant = await current()
      // Another command was faster.
      if (grant.access_token !== refused) return grant.access_token
      const next = await refreshGrant(request, at.root, grant)
      await put(env, at, next)
      return next.access_token
    })
  return {
    secret: async () => {
      const { access_token, expires_at } = await current()
      return Date.now() < expires_at - EARLY ? access_token : renewed(access_token)
    },
    renewed,
    whenEnded: `Your sign-in for ${at.address} has ended; run: space login ${at.address}`,
  }
}

/**
 * Returns the credential for a space: `SPACE_KEY` if `SPACE_URL` names the space, or else the stored one. What was stored
 * for one origin is never returned for another.
 *
 * @throws {Failure} if there is none
 */
export const findCredential = async (
  env: Env,
  at: SpaceAddress,
  request: typeof fetch,
): Promise<Credential> => {
  const { address } = at
  const { SPACE_KEY: key, SPACE_URL: url } = env
  if (key && !url)
    throw new Failure(`SPACE_KEY counts only together with SPACE_URL; set it to ${address}.`, 2)
  if (key && url) {
    if (parseAddress(url, 'SPACE_URL is wrong: ').address !== address)
      throw new Failure(`SPACE_KEY is for ${url}, and is not sent to ${address}.`, 2)
    return keyCredential(key, address)
  }
  const stored = storedIn(await read(env), at)
  if (stored === undefined)
    throw new NoCredential(`There is no key for ${address}; run: space login ${address}`)
  return typeof stored === 'string' ? keyCredential(stored, address) : grantCredential(env, at, request)
}

const put = async (env: Env, { address, origin }: SpaceAddress, stored: Stored): Promise<void> => {
  const keys = await read(env)
  await write(env, { ...keys, [origin]: { ...keys[origin], [address]: stored } })
}

/** Stores a key or grant for a space, readable only by its owner. @returns what it replaces */
export const storeCredential = (env: Env, at: SpaceAddress, stored: Stored): Promise<Stored | undefined> =>
  alone(env, async () => {
    const before = storedIn(await read(env), at)
    await put(env, at, stored)
    return before
  })

/** Deletes what is stored for a space. @returns it; undefined if there was nothing */
export const forgetCredential = (env: Env, at: SpaceAddress): Promise<Stored | undefined> =>
  alone(env, async () => {
    const keys = await read(env)
    const stored = storedIn(keys, at)
    if (stored === undefined) return undefined
    const { [at.address]: _, ...others } = keys[at.origin]!
    await write(env, { ...keys, [at.origin]: others })
    return stored
  })
