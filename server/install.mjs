/**
 * Runs before `npm start` and `npm test`: installs the packages of the lockfile if they are missing or outdated, and
 * runs each build whose sources have changed. Plain JavaScript, because it runs on any Node.js from version 20.
 *
 * `--with-tests` also installs the development dependencies. Once installed, they are kept. `--tools` only installs them
 * if they are missing, and is run before each script that needs them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { BUILDS, isCurrent } from '../routers/api/builds.mjs'

const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
const hasTests = existsSync('node_modules/vitest')
const isForTools = process.argv.includes('--tools')
const wantsTests = hasTests || isForTools || process.argv.includes('--with-tests')

const isInstalled =
  hasTests === wantsTests &&
  (isForTools || changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json'))
if (!isInstalled) {
  console.log('Installing packages (first start only, one to two minutes) …')
  const { status } = spawnSync('npm', ['ci', ...(wantsTests ? [] : ['--omit=dev'])], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

if (isForTools) process.exit()

// If Node.js 24 is installed as a package, npm scripts use it instead of any other version.
const packaged = 'node_modules/.bin/node'
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (!existsSync(packaged) && (major < 22 || (major === 22 && minor < 18))) {
  console.error(
    `Node.js ${process.version} is too old, and no packaged Node.js exists for ${process.platform} on ${process.arch}. Install Node.js 24.`,
  )
  process.exit(1)
}

// Start a build only if a source is newer than the build output, because even an unnecessary build takes a fifth of a
// second.
for (const build of Object.values(BUILDS)) {
  if (isCurrent(build)) continue
  const { status } = spawnSync(existsSync(packaged) ? packaged : process.execPath, [build.script], {
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
