import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { variables } from '../../server/settings.ts'

const row = ([name, variable]: [string, { fallback: string; fallbackWords?: string; purpose: string }]) => {
  const fallback = variable.fallbackWords ?? (variable.fallback === '' ? '–' : `\`${variable.fallback}\``)
  return `| \`${name}\` | ${fallback} | ${variable.purpose} |`
}

test('the operating manual lists every environment variable as it is declared, and no other', async () => {
  const manual = await readFile('docs/operating.md', 'utf8')
  const listed = manual.split('\n').filter(line => /^\| `[A-Z_]+` \|/.test(line))
  expect(listed).toEqual(Object.entries(variables).map(row))
})
