/** Builds the dashboard into `dist`, unless it is current. The built files need no packages at run time. */
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { BUILDS, isCurrent } from '../../routers/api/builds.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Compresses at build time, so that no request has to. */
const compress = (file: string) => {
  const bytes = readFileSync(file)
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
}

if (!isCurrent(BUILDS.dashboard) || process.argv.includes('--force')) {
  process.stdout.write('Building the dashboard …\n')
  const [{ build }, { bundle }] = await Promise.all([import('vite'), import('./bundle.ts')])
  // Build into another folder, because a running service serves the previous build meanwhile. Move the document last, when
  // the assets that it names are there.
  const unfinished = `dist/unfinished-${process.pid}`
  const config = bundle('build')
  await build({
    ...config,
    build: { ...config.build, outDir: unfinished, license: { fileName: 'licenses.json' } },
    logLevel: 'warn',
  })
  for (const name of globSync(`${unfinished}/assets/*.{js,css,svg}`, { cwd: folder })) compress(folder + name)
  const assets = `${folder}dist/assets`
  mkdirSync(assets, { recursive: true })
  const names = new Set(readdirSync(`${folder}${unfinished}/assets`))
  for (const name of names) renameSync(`${folder}${unfinished}/assets/${name}`, `${assets}/${name}`)
  renameSync(`${folder}${unfinished}/licenses.json`, `${folder}dist/licenses.json`)
  renameSync(`${folder}${unfinished}/index.html`, `${folder}dist/index.html`)
  rmSync(folder + unfinished, { recursive: true })
  for (const name of readdirSync(assets)) if (!names.has(name)) rmSync(`${assets}/${name}`)
}
