import { access, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { manualOfSettings } from '../../server/settings/manual.ts'
import { variables } from '../../server/settings/variables.ts'

test('the page about settings lists the declared environment variables', async () => {
  await expect(manualOfSettings()).toMatchFileSnapshot('../../docs/settings.md')
})

test('the files for deployment name only settings that exist', async () => {
  const names = async (file: string, pattern: RegExp) =>
    [...(await readFile(`docs/deploy/${file}`, 'utf8')).matchAll(pattern)].map(([, name]) => name!)
  const named = [
    ...(await names('space-site.env', /^#?([A-Z_]+)=/gm)),
    ...(await names('compose.yaml', /^ {6}([A-Z_]+):/gm)),
    ...(await names('Dockerfile', /\b([A-Z_]+)=/g)),
  ]
  expect(named).toEqual(expect.arrayContaining(['DATA_DIR', 'DATABASE_URL', 'HOST']))
  const ofOthers = new Set(['POSTGRES_PASSWORD', 'SERVICE'])
  expect(named.filter(name => !(name in variables || ofOthers.has(name)))).toEqual([])
})

test('a public service sets at most eight variables, and is installed with at most six commands', async () => {
  const settings = await readFile('docs/deploy/space-site.env', 'utf8')
  expect(settings.match(/^[A-Z_]+=/gm)!.length).toBeLessThanOrEqual(8)
  const [steps] = (await readFile('docs/production.md', 'utf8')).split('## Later')
  expect(steps!.match(/^ {4}\S.*/gm)!.length).toBeLessThanOrEqual(6)
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
