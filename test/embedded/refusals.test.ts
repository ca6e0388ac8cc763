import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageFolder } from '../../db/embedded/binaries.ts'
import { EmbeddedPostgresError, explain } from '../../db/embedded/error.ts'
import { startEmbeddedPostgres } from '../../db/embedded/postgres.ts'
import { newFolder } from './folders.ts'

describe('an error that says what to do', () => {
  test.each([
    [
      'data of an older PostgreSQL',
      'PG_VERSION',
      '17\n',
      /belongs to PostgreSQL 17, which PostgreSQL 18 can't read.*pg_dump/,
    ],
    [
      'data of a newer PostgreSQL',
      'PG_VERSION',
      '19\n',
      /belongs to PostgreSQL 19, which PostgreSQL 18 can't read.*pg_dump/,
    ],
    [
      'a folder that holds other files',
      'holiday.jpg',
      '',
      /contains files \(such as holiday\.jpg\).*move them/,
    ],
  ])('is thrown for %s', async (_case, file, content, message) => {
    const folder = await newFolder()
    await mkdir(path.join(folder, 'data'))
    await writeFile(path.join(folder, 'data', file), content)
    const start = startEmbeddedPostgres({ folder })
    await expect(start).rejects.toThrow(EmbeddedPostgresError)
    await expect(start).rejects.toThrow(message)
  })

  test('is thrown if the data folder is a file', async () => {
    const file = path.join(await newFolder(), 'file')
    await writeFile(file, '')
    for (const folder of [file, path.join(file, 'below')]) {
      await expect(startEmbeddedPostgres({ folder })).rejects.toThrow(`${folder} can't be a data folder`)
    }
  })

  test.each(['win32-x64', 'linux-ia32', 'freebsd-x64'])(
    'is thrown on a platform without an embedded database: %s',
    platform => {
      expect(() => packageFolder(platform)).toThrow(`no embedded database for ${platform}: set DATABASE_URL`)
    },
  )

  test('is thrown if the package for the platform is not installed', () => {
    const absent = process.platform === 'darwin' ? 'linux-x64' : 'darwin-x64'
    expect(() => packageFolder(absent)).toThrow(
      /not installed: install with optional dependencies.*DATABASE_URL/,
    )
  })

  test('is thrown for invalid settings, with the message of PostgreSQL', async () => {
    const start = startEmbeddedPostgres({
      folder: await newFolder(),
      settings: { max_connections: 'many' },
    })
    await expect(start).rejects.toThrow('invalid value for parameter "max_connections"')
  })
})

test('the error for a user id without a name, as in containers, says what to do', () => {
  const words = 'initdb: could not look up effective user ID 12345: user does not exist'
  expect(explain('/some/folder', words).message).toMatch(
    /needs a user with a name.*\/etc\/passwd.*DATABASE_URL/,
  )
})

test.each([
  ['ENOSPC', /disk that holds \/some\/folder is full/],
  ['EACCES', /can't access \/some\/folder.*choose another data folder/],
  ['ENOENT', /\/some\/folder can't be created.*choose another data folder/],
  ['EROFS', /can't access \/some\/folder.*choose another data folder/],
])('the error for the file system failure %s names the folder and says what to do', (code, message) => {
  const failure = Object.assign(new Error(`${code}: it failed`), { code })
  expect(explain('/some/folder', failure).message).toMatch(message)
})
