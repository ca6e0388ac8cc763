/** Builds the dashboard into `dist`, unless `dist` is newer than all sources. The built files need no packages at
 * run time.
 */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('.', import.meta.url))
const document = `${folder}dist/index.html`
/** Sources outside this folder that the dashboard imports, and the package versions. */
const SHARED = [
  '../../routers/core/rules.ts',
  '../../routers/core/scopes.ts',
  '../shared/sandbox.ts',
  '../shared/connect.ts',
  '../shared/server-names.ts',
  '../shared/apis.ts',
  '../shared/palette.ts',
  '../../routers/core/palette.ts',
  '../http/page/logo.svg',
  '../../package-lock.json',
]

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

const isCurrent = () => {
  const sources = globSync('**/*.{ts,tsx,css,html,svg,webp}', { cwd: folder, exclude: ['dist/**'] })
  const newest = Math.max(...[...sources, ...SHARED].map(name => changedAt(folder + name)))
  return changedAt(document) >= newest
}

/** Compresses at build time, so that no request has to. */
const compress = (file: string) => {
  const bytes = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
}

if (!isCurrent() || process.argv.includes('--force')) {
  process.stdout.write('Building the dashboard …\n')
  const [{ build }, { bundle }] = await Promise.all([import('vite'), import('./bundle.ts')])
  await build({ ...bundle('build'), logLevel: 'warn' })
  for (const name of globSync('dist/assets/*.{js,css,svg}', { cwd: folder })) compress(folder + name)
}
