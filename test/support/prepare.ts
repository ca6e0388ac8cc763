/** Runs before all tests. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { BUILDS, isCurrent } from '../../routers/api/builds.mjs'
import { provideDatabase } from './database.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** Runs a build if its sources have changed. */
const runBuild = async (build: (typeof BUILDS)[keyof typeof BUILDS]) => {
  if (isCurrent(build)) return
  await promisify(execFile)(process.execPath, [build.script], { cwd: ROOT })
}

/**
 * Bundles the program of the renderer's processes if its sources have changed. Each test worker has two of
 * these processes. Without the bundle, each of them would load the sources, which takes longer than one
 * build.
 */
const buildWorkerProgram = () => runBuild(BUILDS.worker)

/** Provides the database and current builds, and returns a function that stops the database. */
export default async (project: TestProject) => {
  const [stopDatabase] = await Promise.all([
    provideDatabase(project),
    buildWorkerProgram(),
    runBuild(BUILDS.cli),
  ])
  return stopDatabase
}
