import { access, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { variables } from '../../server/settings/variables.ts'

const row = ([name, variable]: [string, { fallback: string; fallbackWords?: string; purpose: string }]) => {
  const fallback = variable.fallbackWords ?? (variable.fallback === '' ? '–' : `\`${variable.fallback}\``)
  return `| \`${name}\` | ${fallback} | ${variable.purpose} |`
}

test('the operating manual lists exactly the declared environment variables', async () => {
  const manual = await readFile('docs/operating.md', 'utf8')
  const listed = manual.split('\n').filter(line => /^\| `[A-Z_]+` \|/.test(line))
  expect(listed).toEqual(Object.entries(variables).map(row))
})

test('the threat model names only test files that exist', async () => {
  const model = await readFile('docs/threat-model.md', 'utf8')
  const names = [...model.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(50)
  const missing = await Promise.all(
    [...new Set(names)].map(name =>
      access(`test/${name}`).then(
        () => [],
        () => [name],
      ),
    ),
  )
  expect(missing.flat()).toEqual([])
})
