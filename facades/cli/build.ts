/**
 * Bundles the program, that of its worker processes and the client for JavaScript into one file each, without
 * dependencies, and packs them with the starters into an npm package.
 */
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, type Plugin } from 'vite'
import { packTarball } from './tar.ts'

const project = path.join(import.meta.dirname, '../..')
const dist = path.join(import.meta.dirname, 'dist')
const unfinished = path.join(dist, `unfinished-${process.pid}`)
const STARTERS = 'routers/content/starters/sites'
const PROGRAM = 'space.mjs'
const WORKER = 'worker.mjs'
const CLIENT = 'client.mjs'
/** The declarations of the client and its description. */
const CLIENT_FILES = ['index.d.ts', 'api.d.ts', 'CLIENT.md']

/** Makes the renderer start the worker program of the package. */
const bundledWorker: Plugin = {
  name: 'bundled-worker',
  enforce: 'pre',
  load(id) {
    if (path.relative(project, id) !== path.normalize('routers/rendering/workers/program.ts')) return null
    return `import { fileURLToPath } from 'node:url'
const entry = fileURLToPath(new URL('${WORKER}', import.meta.url))
export const findProgram = () => ({ entry, readable: [entry] })`
  },
}

/** Files that the program reads while it runs, such as style sheets: their names in the package, and their paths. */
const assets = new Map<string, string>()

/** Finds the files that our code reads beside itself, and lets the code find them in the package. */
const packagedAssets: Plugin = {
  name: 'packaged-assets',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(project + path.sep) || id.includes('/node_modules/')) return null
    return code.replaceAll(/new URL\('([^']+\.(?:css|js))', import\.meta\.url\)/g, (_, file: string) => {
      const source = path.join(path.dirname(id), file)
      const name = `assets/${path.basename(file)}`
      if (assets.has(name) && assets.get(name) !== source) throw new Error(`Two files are called ${name}`)
      assets.set(name, source)
      return `new URL('${name}', import.meta.url)`
    })
  },
}

type License = Record<'name' | 'version' | 'text', string>

/** Bundles a program. @returns the licenses of the packages in it */
const bundle = async (entry: string, name: string): Promise<License[]> => {
  await build({
    configFile: false,
    root: project,
    logLevel: 'warn',
    ssr: { noExternal: true },
    plugins: [bundledWorker, packagedAssets],
    build: {
      ssr: entry,
      outDir: unfinished,
      emptyOutDir: false,
      target: 'node20',
      license: { fileName: 'licenses.json' },
      rolldownOptions: {
        output: {
          entryFileNames: name,
          codeSplitting: false,
          keepNames: true,
          comments: false,
          ...(name === PROGRAM && { banner: '#!/usr/bin/env node' }),
        },
      },
    },
  })
  return JSON.parse(readFileSync(path.join(unfinished, 'licenses.json'), 'utf8')) as License[]
}

process.stdout.write('Building the command line program …\n')
const licenses = [
  ...new Map(
    [
      ...(await bundle('facades/cli/main.ts', PROGRAM)),
      ...(await bundle('facades/cli/worker.ts', WORKER)),
      ...(await bundle('facades/cli/client/client.ts', CLIENT)),
    ].map(license => [`${license.name} ${license.version}`, license]),
  ).values(),
]
writeFileSync(path.join(unfinished, 'licenses.json'), JSON.stringify(licenses))
const { version } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as {
  version: string
}
const description = {
  name: 'space-site',
  version,
  description: 'Work on the site of a space in a folder, with your own editor',
  type: 'module',
  bin: { space: PROGRAM },
  exports: { '.': { types: './index.d.ts', default: `./${CLIENT}` }, './package.json': './package.json' },
  engines: { node: '>=20' },
}
const starters = globSync('**/*', { cwd: path.join(project, STARTERS) }).filter(file =>
  statSync(path.join(project, STARTERS, file)).isFile(),
)
const files = new Map<string, Uint8Array>([
  ['package.json', Buffer.from(`${JSON.stringify(description, null, 2)}\n`)],
  [
    'LICENSES.txt',
    Buffer.from(licenses.map(({ name, version, text }) => `${name} ${version}\n\n${text}\n`).join('\n')),
  ],
  ['README.md', readFileSync(path.join(import.meta.dirname, 'README.md'))],
  ...[PROGRAM, WORKER, CLIENT].map(name => [name, readFileSync(path.join(unfinished, name))] as const),
  ...CLIENT_FILES.map(name => [name, readFileSync(path.join(import.meta.dirname, 'client', name))] as const),
  ...[...assets].map(([name, source]) => [name, readFileSync(source)] as const),
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
