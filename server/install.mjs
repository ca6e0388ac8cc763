/**
 * Runs before `npm start` and `npm test`: installs the packages of the lockfile if they are missing or outdated, and
 * builds the dashboard if its sources have changed. Plain JavaScript, because it runs on any Node.js from version 20.
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

// Start the build only if a source is newer than the built dashboard: its process takes a fifth of a second.
const dashboard = 'facades/admin'
const shared = ['routers/core', 'facades/shared', 'package-lock.json']
const newest = folder =>
  Math.max(
    changedAt(folder),
    ...readdirSync(folder, { recursive: true }).map(name =>
      /^(dist|node_modules)\b/.test(name) ? 0 : changedAt(`${folder}/${name}`),
    ),
  )
const sources = [dashboard, ...shared].map(path => (statSync(path).isFile() ? changedAt(path) : newest(path)))
if (changedAt(`${dashboard}/dist/index.html`) < Math.max(...sources)) {
  const { status } = spawnSync(
    existsSync(packaged) ? packaged : process.execPath,
    ['facades/admin/build.ts'],
    {
      stdio: 'inherit',
    },
  )
  if (status !== 0) process.exit(status ?? 1)
}
