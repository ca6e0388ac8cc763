/**
 * Makes `npm start` and `npm test` one command each: installs the packages of the lockfile when they are
 * missing or older than it. Plain JavaScript, because it runs on whatever Node is there first (≥ 20).
 */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

const changedAt = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  console.log('Installing packages (once, about a minute) …')
  const { status } = spawnSync('npm', ['ci'], { stdio: 'inherit' })
  process.exit(status ?? 1)
}
