/** Bundles the program into one file without dependencies, and packs it with the starters into an npm package. */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { packTarball } from './tar.ts'

const project = path.join(import.meta.dirname, '../..')
const dist = path.join(import.meta.dirname, 'dist')
const unfinished = path.join(dist, `unfinished-${process.pid}`)
const STARTERS = 'routers/content/starters/sites'
const PROGRAM = 'space.mjs'

process.stdout.write('Building the command line program …\n')
await build({
  configFile: false,
  root: project,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: 'facades/cli/main.ts',
    outDir: unfinished,
    target: 'node20',
    license: { fileName: 'licenses.json' },
    rolldownOptions: {
      output: {
        entryFileNames: PROGRAM,
        codeSplitting: false,
        banner: '#!/usr/bin/env node',
        comments: false,
      },
    },
  },
})
const { version } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
  version: string
}
const description = {
  name: 'space-site',
  version,
  description: 'Work on the site of a space in a folder, with your own editor',
  type: 'module',
  bin: { space: PROGRAM },
  engines: { node: '>=20' },
}
/** The licenses of the packages that are in the bundle. */
const licenses = (
  JSON.parse(readFileSync(path.join(unfinished, 'licenses.json'), 'utf8')) as Record<
    'name' | 'version' | 'text',
    string
  >[]
)
  .map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`)
  .join('\n')
const starters = globSync('**/*', { cwd: path.join(project, STARTERS) }).filter(file =>
  statSync(path.join(project, STARTERS, file)).isFile(),
)
const files = new Map<string, Uint8Array>([
  ['package.json', Buffer.from(`${JSON.stringify(description, null, 2)}\n`)],
  ['LICENSES.txt', Buffer.from(licenses)],
  ['README.md', readFileSync(path.join(import.meta.dirname, 'README.md'))],
  [PROGRAM, readFileSync(path.join(unfinished, PROGRAM))],
  ...starters.map(
    file =>
      [`starters/${file.replaceAll('\\', '/')}`, readFileSync(path.join(project, STARTERS, file))] as const,
  ),
])
writeFileSync(path.join(unfinished, 'space-site.tgz'), packTarball(files, new Set([PROGRAM])))
// Rename finished files, so that a running service never reads half a file.
mkdirSync(dist, { recursive: true })
for (const name of ['licenses.json', 'space-site.tgz'])
  renameSync(path.join(unfinished, name), path.join(dist, name))
rmSync(unfinished, { recursive: true })
