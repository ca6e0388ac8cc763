import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packTarball } from '../../facades/cli/tar.ts'
import { starters } from '../../routers/api/rules.ts'
import { VERSION } from '../../server/version.ts'
import { useTestService } from '../support/test-service.ts'

const service = useTestService()
const execute = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-package-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const bytesOf = async (name: string) =>
  Buffer.from(await (await fetch(`${service.root}/${name}`)).arrayBuffer())

test('the service has the package, under its own name and under that of its version, which can be cached for good', async () => {
  const current = await fetch(`${service.root}/space-site.tgz`)
  const fixed = await fetch(`${service.root}/space-site-${VERSION}.tgz`)
  expect([current.status, current.headers.get('cache-control')]).toEqual([200, 'no-cache'])
  expect(fixed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(fixed.headers.get('content-disposition')).toBe(`attachment; filename="space-site-${VERSION}.tgz"`)
  expect(await current.arrayBuffer()).toEqual(await fixed.arrayBuffer())
  const again = await fetch(`${service.root}/space-site.tgz`, {
    headers: { 'if-none-match': current.headers.get('etag')!, 'cache-control': 'max-age=0' },
  })
  expect(again.status).toBe(304)
  const old = await fetch(`${service.root}/space-site-0.0.0.tgz`)
  expect([old.status, await old.text()]).toEqual([404, expect.stringContaining(`space-site-${VERSION}.tgz`)])
  expect((await fetch(`${service.root}/space-site.tgz`, { method: 'POST' })).status).toBe(405)
})

test('the package is one program without dependencies, and the starters', async () => {
  const archive = path.join(folder, 'space-site.tgz')
  await writeFile(archive, await bytesOf('space-site.tgz'))
  await execute('tar', ['xzf', archive, '-C', folder])
  const description = JSON.parse(await readFile(path.join(folder, 'package/package.json'), 'utf8')) as object
  expect(description).toMatchObject({
    name: 'space-site',
    version: VERSION,
    bin: { space: 'space.mjs' },
    engines: { node: '>=20' },
  })
  expect(description).not.toHaveProperty('dependencies')
  const program = await readFile(path.join(folder, 'package/space.mjs'), 'utf8')
  const imported = [...program.matchAll(/^import .*?['"]([^'"]+)['"];?$/gm)].map(([, name]) => name)
  expect(imported.filter(name => !name?.startsWith('node:'))).toEqual([])
  for (const starter of starters)
    expect(await readFile(path.join(folder, 'package/starters', starter, 'manifest.json'), 'utf8')).toContain(
      'space-site-space',
    )
})

test('the program finishes when nobody reads its output any more', async () => {
  const program = path.join(folder, 'package/space.mjs')
  const { stdout, stderr } = await execute('bash', [
    '-c',
    // The reader has ended before the program starts.
    'exec 3> >(true); wait $!; "$0" "$1" --help >&3; echo "exit $?"',
    process.execPath,
    program,
  ])
  expect([stdout, stderr]).toEqual(['exit 0\n', ''])
})

test('the program checks and renders a site on Node.js without what version 20 lacks', async () => {
  const lacking =
    'data:text/javascript,delete Promise.withResolvers; delete Map.groupBy; delete URL.parse; delete process.threadCpuUsage'
  const space = (cwd: string, ...argv: string[]) =>
    execute(process.execPath, ['--import', lacking, path.join(folder, 'package/space.mjs'), ...argv], { cwd })
  await space(folder, 'init', 'links', 'site')
  const site = path.join(folder, 'site')
  await writeFile(path.join(site, 'pages/now.liquid'), '{{ "a" | upcas }}')
  const checked = await space(site, 'check').catch((error: unknown) => error as { stdout: string })
  expect(checked.stdout).toContain('pages/now.liquid:1:10 There is no filter “upcas”')
})

test('the package depends only on its files', () => {
  const files = new Map([
    ['b.txt', Buffer.from('two')],
    ['a.txt', Buffer.from('one')],
  ])
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  const tarball = packTarball(files, new Set(['a.txt']))
  expect(digest(tarball)).toBe(digest(packTarball(new Map([...files].toReversed()), new Set(['a.txt']))))
})

test('npx runs it from the address of the service', async () => {
  const { stdout } = await execute('npx', ['--yes', `${service.root}/space-site.tgz`, '--help'], {
    cwd: folder,
    env: {
      ...process.env,
      npm_config_cache: path.join(folder, 'cache'),
      npm_config_update_notifier: 'false',
    },
  })
  expect(stdout).toContain('space clone <address>')
})
