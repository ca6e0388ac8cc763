/**
 * Makes `npm start` and `npm test` one command each: installs the packages of the lockfile when they are missing or
 * older than it, and builds the screen when its sources are newer than what was built. Plain JavaScript, because it
 * runs on whatever Node is there first (≥ 20).
 *
 * `--with-tests` also installs what only tests and checks need; where that is there already, it stays.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'

const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
const hasTests = existsSync('node_modules/vitest')
const wantsTests = hasTests || process.argv.includes('--with-tests')

const isCurrent =
  changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json') && hasTests === wantsTests
if (!isCurrent) {
  console.log('Installing packages, once; this takes a minute or two …')
  const { status } = spawnSync('npm', ['ci', ...(wantsTests ? [] : ['--omit=dev'])], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

// Node 24 comes as a package on the platforms that have one; npm scripts that begin after this find it before any other.
const packaged = 'node_modules/.bin/node'
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (!existsSync(packaged) && (major < 22 || (major === 22 && minor < 18))) {
  console.error(
    `There is no Node.js package for ${process.platform} on ${process.arch}, and this is Node.js ${process.version}: install Node.js 24.`,
  )
  process.exit(1)
}

const { status } = spawnSync(existsSync(packaged) ? packaged : process.execPath, ['facades/admin/build.ts'], {
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
