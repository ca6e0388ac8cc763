import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { BUILDS } from '../../routers/api/builds.mjs'

const DASHBOARD = 'facades/admin'

/** Files outside its folder that the dashboard is built from: those that it imports, and those that its build reads. */
const outside = globSync(`${DASHBOARD}/**/*.{ts,tsx}`)
  .filter(file => !file.startsWith(`${DASHBOARD}/dist/`) && file !== `${DASHBOARD}/build.ts`)
  .flatMap(file => {
    const source = readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '')
    const names = [...source.matchAll(/(?:from |import |read\()'(\.\.\/[^'?]+)/g)].map(([, name]) => name!)
    return names.map(name => path.join(path.dirname(file), name))
  })
  .filter(file => !file.startsWith(`${DASHBOARD}/`))

test('the dashboard is built again after a change of any file that it is built from', () => {
  const { sources } = BUILDS.dashboard
  const missing = [...new Set(outside)].filter(
    file => !sources.some(source => file === source || file.startsWith(`${source}/`)),
  )
  expect(outside).toContain('facades/http/page/logo.svg')
  expect(missing).toEqual([])
})
