import { access, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { manualOfSettings } from '../../server/settings/manual.ts'

test('the page about settings lists the declared environment variables', async () => {
  await expect(manualOfSettings()).toMatchFileSnapshot('../../docs/settings.md')
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
