/**
 * Runs before `npm start` and `npm test`: installs the packages of the lockfile if they are missing or outdated, and
 * builds the dashboard and the worker program if their sources have changed. Plain JavaScript, because it runs on any
 * Node.js from version 20.
 *
 * `--with-tests` also installs the development dependencies. Once installed, they are kept.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'

const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
const hasTests = existsSync('node_modules/vitest')
const wantsTests = hasTests || process.argv.includes('--with-tests')

const isCurrent =
  changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json') && hasTests === wantsTests
if (!isCurrent) {
  console.log('Installing packages (first start only, one to two minutes) …')
  const { status } = spawnSync('npm', ['ci', ...(wantsTests ? [] : ['--omit=dev'])], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

// npm scripts find the Node.js 24 that is installed as a package before any other version.
const packaged = 'node_modules/.bin/node'
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (!existsSync(packaged) && (major < 22 || (major === 22 && minor < 18))) {
  console.error(
    `Node.js ${process.version} is too old, and no packaged Node.js exists for ${process.platform} on ${process.arch}. Install Node.js 24.`,
  )
  process.exit(1)
}

/** Returns when a file, or the content of a folder, last changed. Ignores build output and installed packages. */
const newest = path =>
  statSync(path).isFile()
    ? changedAt(path)
    : Math.max(
        changedAt(path),
        ...readdirSync(path, { recursive: true }).map(name =>
          /^(dist|node_modules)\b/.test(name) ? 0 : changedAt(`${path}/${name}`),
        ),
      )

const SHARED = ['routers/core', 'package-lock.json']
const BUILDS = [
  {
    script: 'facades/admin/build.ts',
    built: 'facades/admin/dist/index.html',
    sources: ['facades/admin', 'facades/shared', ...SHARED],
  },
  {
    script: 'routers/liquid/build.ts',
    built: 'routers/liquid/dist/worker.mjs',
    sources: ['routers/liquid', ...SHARED],
  },
]
// Start a build only if a source is newer than the build output, because even an unnecessary build takes a fifth of a
// second.
for (const { script, built, sources } of BUILDS) {
  if (changedAt(built) >= Math.max(...sources.map(newest))) continue
  const { status } = spawnSync(existsSync(packaged) ? packaged : process.execPath, [script], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
