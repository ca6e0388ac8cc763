// @ts-check
/**
 * The files that are built from the sources, and whether they are current. Plain JavaScript, because `server/install.mjs`
 * runs on any Node.js from version 20.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Paths are relative to the project's folder.
 *
 * @typedef {object} Build
 * @property {string} script program that builds it
 * @property {string} built file that the build writes last
 * @property {string[]} sources files and folders from which it is built
 */

/** @satisfies {Record<string, Build>} */
export const BUILDS = {
  dashboard: {
    script: 'facades/admin/build.ts',
    built: 'facades/admin/dist/index.html',
    sources: [
      'facades/admin',
      'facades/shared',
      'facades/http/page/logo.svg',
      'facades/http/page/typeface.ts',
      'routers/api/palette.ts',
      'routers/api/rules.ts',
      'routers/api/scopes.ts',
      'routers/api/shown-text.ts',
      'routers/content/starters/sites',
      'routers/social/posts/markdown/dialect.ts',
      'package-lock.json',
    ],
  },
  worker: {
    script: 'routers/rendering/build.ts',
    built: 'routers/rendering/dist/worker.mjs',
    sources: ['routers/rendering', 'routers/api', 'package-lock.json'],
  },
  cli: {
    script: 'facades/cli/build.ts',
    built: 'facades/cli/dist/space-site.tgz',
    sources: [
      'facades/cli',
      'facades/http',
      'facades/shared',
      'facades/site',
      'routers/api',
      'routers/content',
      'routers/delivery',
      'routers/rendering',
      'package.json',
      'package-lock.json',
    ],
  },
  program: {
    script: 'server/build.ts',
    built: 'server/dist/run.mjs',
    sources: ['server', 'facades', 'routers', 'db', 'package-lock.json'],
  },
}

const root = path.join(import.meta.dirname ?? fileURLToPath(new URL('.', import.meta.url)), '../..')

/** Whether this is a release, which has what was built, and no sources. */
const isRelease = !existsSync(path.join(root, 'package-lock.json'))

/** @param {string} file */
const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

/**
 * Ignored in source folders: build output, installed packages, and the dashboard's sources, which no other build reads.
 */
const IGNORED = /^(dist|node_modules|admin|[^/]+\/dist)\b/

/**
 * Returns the time of the last change to a file or to the content of a folder.
 *
 * @param {string} item
 */
const newest = item => {
  const own = changedAt(item)
  if (path.extname(item)) return own
  const names = /** @type {string[]} */ (readdirSync(item, { recursive: true }))
  return Math.max(own, ...names.map(name => (IGNORED.test(name) ? 0 : changedAt(`${item}/${name}`))))
}

/**
 * Whether no source is newer than the build output.
 *
 * @param {Build} build
 */
export const isCurrent = ({ built, sources }) => {
  if (isRelease) return true
  const builtAt = changedAt(path.join(root, built))
  return builtAt > 0 && sources.every(source => newest(path.join(root, source)) <= builtAt)
}
