/** Bundles the program of the worker processes into one file, `dist/worker.mjs`. */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))
const unfinished = `${folder}dist/unfinished-${process.pid}`

await build({
  configFile: false,
  root: folder,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: 'engine/worker-main.ts',
    outDir: unfinished,
    target: 'node22',
    license: { fileName: 'licenses.json' },
    rolldownOptions: { output: { entryFileNames: 'worker.mjs', keepNames: true } },
  },
})
// Rename finished files, the program last, so that a running service never reads half a file.
mkdirSync(`${folder}dist`, { recursive: true })
for (const name of ['licenses.json', 'worker.mjs'])
  renameSync(`${unfinished}/${name}`, `${folder}dist/${name}`)
rmSync(unfinished, { recursive: true })
