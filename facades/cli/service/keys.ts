import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Failure } from '../failure.ts'
import { parseAddress, type SpaceAddress } from './address.ts'

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

/** Keys by origin, and then by the address of their space. */
type Keys = Record<string, Record<string, string>>

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
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, JSON.stringify(keys, null, 2), { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, file)
}

/**
 * Returns the key of a space: `SPACE_KEY` if `SPACE_URL` names the space, or else the stored one. A key that was stored
 * for one origin is never returned for another.
 *
 * @throws {Failure} if there is none
 */
export const findKey = async (env: Env, { address, origin }: SpaceAddress): Promise<string> => {
  const { SPACE_KEY: key, SPACE_URL: url } = env
  if (key && !url)
    throw new Failure(`SPACE_KEY counts only together with SPACE_URL; set it to ${address}.`, 2)
  if (key && url) {
    if (parseAddress(url, 'SPACE_URL is wrong: ').address !== address)
      throw new Failure(`SPACE_KEY is for ${url}, and is not sent to ${address}.`, 2)
    return key
  }
  const keys = await read(env)
  const stored = Object.hasOwn(keys, origin) ? keys[origin]![address] : undefined
  if (stored === undefined) throw new Failure(`There is no key for ${address}; run: space login ${address}`)
  return stored
}

/** Stores the key of a space, readable only by its owner. */
export const storeKey = async (env: Env, { address, origin }: SpaceAddress, key: string): Promise<void> => {
  const keys = await read(env)
  await write(env, { ...keys, [origin]: { ...keys[origin], [address]: key } })
}

/** Deletes the stored key of a space. @returns whether there was one */
export const forgetKey = async (env: Env, { address, origin }: SpaceAddress): Promise<boolean> => {
  const keys = await read(env)
  const { [address]: key, ...others } = keys[origin] ?? {}
  if (key === undefined) return false
  await write(env, { ...keys, [origin]: others })
  return true
}
