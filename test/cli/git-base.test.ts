import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { useComputer } from './support/terminal.ts'

const service = useTestService()
const computer = useComputer()
const execute = promisify(execFile)

let space: TestSpace
let folder: string
let env: Record<string, string>
beforeEach(async () => {
  space = await service.createSpace()
  const at = `${service.root}/admin/spaces/${space.subdomain}`
  env = { HOME: computer.home, SPACE_URL: at, SPACE_KEY: await space.key(...SPACE_SCOPES) }
  // A folder below the top of the repository, as many people have it.
  folder = path.join(await mkdtemp(path.join(computer.home, 'repository-')), 'site')
  await mkdir(folder)
  await write('../readme.txt', 'not part of the site')
  await write('space.json', JSON.stringify({ address: at }))
  await git('init', '--quiet', '..')
})

const write = async (file: string, content: string) => {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
  await writeFile(path.join(folder, file), content)
}
const git = (...args: string[]) =>
  execute('git', ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com', ...args], { cwd: folder })
const commit = async (tag: string) => {
  await git('add', '--all', '..')
  await git('commit', '--quiet', '--message', tag)
  await git('tag', tag)
}
/** Runs a command in a fresh checkout, which remembers nothing. */
const run = async (...argv: string[]) => {
  await rm(path.join(folder, '.space'), { recursive: true, force: true })
  return computer.space(path.relative(computer.home, folder), argv, { env, isInteractive: false })
}
const push = (base: string) => run('push', '--yes', '--base', base)
const pageNamed = async (slug: string) =>
  (
    await space.api.get<{ data: { id: string; slug: string; html: string; kind: string }[] }>('/pages')
  ).body.data.find(page => page.slug === slug)
const htmlOf = async (slug: string) => {
  const page = await pageNamed(slug)
  return page && (await space.api.get<{ html: string }>(`/pages/${page.id}`)).body.html
}

/** Commits and pushes a site, as the first run of a workflow does. */
const begin = async () => {
  await write('pages/a.liquid', 'one\r\n')
  await write('pages/b.html', 'b')
  await write('data/c.json', '{ "n": 1 }')
  await write('files/d.txt', 'd')
  await write('manifest.json', '{"format":"space-site-space","version":1,"pages":{"a":{"kind":"static"}}}')
  await commit('first')
  expect(await push('0'.repeat(40))).toMatchObject({ code: 0, err: '' })
}

describe('a push of a fresh checkout with a base', () => {
  test('takes what was committed since, and leaves what only the space changed', async () => {
    await begin()
    await space.api.put('/data/c', { value: { n: 2 } })
    await write('pages/a.liquid', 'two')
    await git('rm', '--quiet', 'files/d.txt')
    await write('pages/e.liquid', 'e')
    await commit('second')
    const { code, out, err } = await push('first')
    expect([code, err]).toEqual([
      0,
      'The space has changes that this folder does not have: data/c.json. space pull brings them.\n',
    ])
    expect(
      out
        .split('\n')
        .filter(line => /^[~+-] /.test(line))
        .map(line => line.split('  ')[0]),
    ).toEqual(['- files/d.txt', '~ pages/a.liquid', '+ pages/e.liquid'])
    expect(await htmlOf('a')).toBe('two')
    expect((await pageNamed('a'))?.kind).toBe('static')
    expect((await space.api.get<{ value: unknown }>('/data/c')).body.value).toEqual({ n: 2 })
    // The same run again finds nothing to do.
    expect((await push('first')).out).toBe('Nothing has changed in the folder.\n')
  })

  test('changes nothing if the space has changed one of the items since', async () => {
    await begin()
    await space.api.patch(`/pages/${(await pageNamed('a'))!.id}`, { html: 'theirs' })
    await write('pages/a.liquid', 'mine')
    await write('pages/b.html', 'mine too')
    await commit('second')
    expect(await push('first')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the space has changed since your last pull: pages/a.liquid.'),
    })
    expect(await htmlOf('b')).toBe('b')
    // A pull with the same base puts both versions side by side.
    expect((await run('pull', '--base', 'first')).out).toContain('pages/a.theirs.liquid')
  })

  test('knows files that are kept with Git LFS by their digest', async () => {
    await begin()
    await write(
      'files/d.txt',
      'version https://git-lfs.github.com/spec/v1\noid sha256:18ac3e7343f016890c510e93f935261169d9e3f565436429830faf0934f4f8e4\nsize 1\n',
    )
    await commit('pointer')
    await write('files/d.txt', 'changed')
    expect((await run('push', '--dry-run', '--base', 'pointer')).out).toBe('~ files/d.txt  7 B\n')
  })

  test.each([
    ['a commit that does not exist', 'nothing', 'git has no commit "nothing" here'],
    ['an option of git in its place', '--all', 'git has no commit "--all" here'],
  ])('is refused with %s', async (_, base, message) => {
    await begin()
    const ended = await run('push', '--yes', `--base=${base}`)
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(message) })
  })

  test('is refused without a repository', async () => {
    await rm(path.join(folder, '../.git'), { recursive: true })
    expect(await push('HEAD')).toMatchObject({
      code: 1,
      err: '--base needs a git repository, and this folder is in none.\n',
    })
  })
})
