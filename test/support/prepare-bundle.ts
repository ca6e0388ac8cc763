/**
 * Runs before all tests of the suites that test the program as it ships. Builds its bundle if the sources have changed,
 * so that these tests run the bundle, both where they start a process and where they start a service in their own.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { BUILDS, isCurrent } from '../../routers/api/builds.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** File of the bundle that exports `startService`. Not set in the suites that test the sources. */
    bundle?: string
  }
}

const ROOT = path.join(import.meta.dirname, '../..')
const DIST = path.join(ROOT, 'server/dist')

export default async (project: TestProject) => {
  if (!isCurrent(BUILDS.program))
    await promisify(execFile)(process.execPath, [BUILDS.program.script], { cwd: ROOT })
  const manifest = JSON.parse(await readFile(path.join(DIST, 'manifest.json'), 'utf8')) as Record<
    string,
    { file: string }
  >
  project.provide('bundle', path.join(DIST, manifest['server/start.ts']!.file))
}
