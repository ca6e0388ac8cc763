/**
 * Bundles the program into `dist`. Loading a few files instead of 2,100 modules halves the processor time of a start, and
 * source code that is never used takes up less memory.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { build, type Plugin } from 'vite'

const project = path.join(import.meta.dirname, '..')
const dist = path.join(import.meta.dirname, 'dist')
const unfinished = path.join(dist, `unfinished-${process.pid}`)

/** How long to keep the files of earlier builds, from which running processes may still load code, in ms. */
const KEEP = 30 * 86_400_000

/**
 * Packages that are not bundled. Some of these packages read files from their own folders. The passkey library imports a
 * CommonJS module that must run before its other modules, which a bundle would run first. The other packages stay out of
 * the bundle because most installations load little or nothing of them.
 */
const EXTERNAL = [
  '@node-rs/argon2',
  '@simplewebauthn/server',
  '@simplewebauthn/server/helpers',
  '@vitejs/plugin-react',
  'iconv-lite',
  'ioredis',
  'pino',
  'piscina',
  'prom-client',
  'sharp',
  'vite',
  /^@aws-sdk\//,
  /^@opentelemetry\//,
]

/** The program of the threads that convert Markdown. The program has a bundle of its own. */
const MARKDOWN = {
  source: 'routers/social/posts/markdown/worker.ts',
  starter: 'routers/social/posts/markdown/converter.ts',
}

/**
 * Makes the Markdown threads run the bundle of their program instead of its TypeScript source. To run the source, each
 * thread would have to load the compiler that strips types.
 */
const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  transform(code, id) {
    if (path.relative(project, id) !== MARKDOWN.starter) return null
    const reference = `new URL('./${path.basename(MARKDOWN.source)}'`
    if (!code.includes(reference)) throw new Error(`${MARKDOWN.starter} no longer starts ${MARKDOWN.source}`)
    return code.replace(reference, `new URL('../../../../server/dist/markdown.mjs'`)
  },
}

/**
 * Lets our code find the files that it reads, whose paths are relative to the source files. Also escapes
 * characters outside ASCII: if a file contains a single one, the engine needs two bytes for every character of
 * the file. The minifier escapes them too, but not in tagged templates.
 */
const ownCode: Plugin = {
  name: 'own-code',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(project + path.sep) || id.includes('/node_modules/')) return
    const source = `new URL(${JSON.stringify(path.relative(dist, id))}, import.meta.url)`
    return code
      .replaceAll('import.meta.url', `${source}.href`)
      .replaceAll(
        'import.meta.dirname',
        `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${source}))`,
      )
      .replaceAll(/\\?([\u0080-\uffff])/g, (_, unit: string) => `\\u${hexOf(unit)}`)
  },
}

const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0')

/**
 * Imports `node:http` without the classes that are also global, such as `WebSocket`. An import statement reads all
 * exports of a module. Reading these classes loads code that the service does not use. That code would take 14 MB, and
 * each start would take 30 ms longer.
 */
const plainHttp: Plugin = {
  name: 'plain-http',
  enforce: 'pre',
  resolveId(id, _importer, { kind }) {
    return id === 'node:http' && kind === 'import-statement' ? '\0plain-http' : null
  },
  load(id) {
    if (id !== '\0plain-http') return null
    const names = Object.keys(process.getBuiltinModule('node:http')).filter(
      name => !(name in globalThis || name.startsWith('_')),
    )
    return `export const { ${names.join(', ')} } = process.getBuiltinModule('node:http')`
  },
}

/** Leaves out Zod's messages in all languages except English, the only one that the service uses. */
const english: Plugin = {
  name: 'english',
  load(id) {
    return /\/zod\/v4\/locales\/index\.c?js$/.test(id) ? `export { default as en } from './en.js'` : null
  },
}

/** Lists the packages that the bundle imports, for releases. `npm run dev` alone needs Vite. */
const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle() {
    const modules = [...this.getModuleIds()].map(id => this.getModuleInfo(id)!)
    const imported = modules
      .flatMap(({ importedIds, dynamicallyImportedIds }) => [...importedIds, ...dynamicallyImportedIds])
      .filter(id => /^[a-z@]/.test(id) && !isBuiltin(id))
    const names = imported.map(id => id.split('/', id.startsWith('@') ? 2 : 1).join('/'))
    const needed = [...new Set(names)].filter(name => !['vite', '@vitejs/plugin-react'].includes(name))
    this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(needed.sort()) })
  },
}

/** Keeps stack traces readable, and escapes characters outside ASCII in the packages too. */
const minify = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: false, asciiOnly: true },
} as const

process.stdout.write('Building the program …\n')
await build({
  configFile: false,
  root: project,
  logLevel: 'warn',
  ssr: { noExternal: true },
  plugins: [bundledThreads, ownCode, plainHttp, english, listPackages],
  build: {
    ssr: true,
    // Tells the tests which file has `server/start.ts`, because they start services in their own process.
    manifest: 'manifest.json',
    // For the licenses and the bill of materials of releases.
    license: { fileName: 'licenses.json' },
    outDir: unfinished,
    target: 'node22',
    rolldownOptions: {
      input: { run: 'server/run.ts', command: 'server/command.ts', markdown: MARKDOWN.source },
      external: EXTERNAL,
      output: {
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
        keepNames: true,
        minifyInternalExports: false,
        comments: false,
        minify,
      },
    },
  },
})
// Move the entries last, so that a process that starts meanwhile finds the files that they import.
mkdirSync(dist, { recursive: true })
const entries = ['command.mjs', 'run.mjs']
const names = readdirSync(unfinished).filter(name => !entries.includes(name))
for (const name of [...names, ...entries]) renameSync(path.join(unfinished, name), path.join(dist, name))
rmSync(unfinished, { recursive: true })
for (const name of readdirSync(dist)) {
  const file = path.join(dist, name)
  if (statSync(file).mtimeMs < Date.now() - KEEP) rmSync(file, { recursive: true, force: true })
}
