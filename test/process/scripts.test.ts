/** Runs the scripts of package.json as after `npm start`, which installs no development packages. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMANDS } from '../../server/commands/list.ts'

/** Scripts that need no development packages. */
const OF_THE_SERVICE = new Set(['start', 'build', 'dev', ...Object.keys(COMMANDS)])

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const ofDevelopers = Object.keys(scripts).filter(name => !OF_THE_SERVICE.has(name) && !name.startsWith('pre'))

/** A project without packages, and an `npm` that only notes what it should install. */
let project: string
const npm = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim()

beforeAll(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), 'space-site-scripts-'))
  for (const name of ['package.json', 'server/install.mjs', 'routers/api/builds.mjs'])
    await cp(name, path.join(project, name))
  const noting = path.join(project, 'npm')
  await writeFile(noting, '#!/bin/sh\necho "$@" > "$NOTED"\nexit 7\n')
  await chmod(noting, 0o755)
})
afterAll(() => rm(project, { recursive: true, force: true }))

test.each(ofDevelopers)('npm run %s installs the development packages first', async name => {
  const noted = path.join(project, `noted-${name.replace(':', '-')}`)
  const { status } = spawnSync(process.execPath, [npm, 'run', name], {
    cwd: project,
    env: { PATH: `${project}:${process.env.PATH}`, HOME: project, NOTED: noted },
    encoding: 'utf8',
  })
  expect(status).toBe(7)
  expect(await readFile(noted, 'utf8')).toBe('ci\n')
})
