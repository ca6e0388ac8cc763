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
    rolldownOptions: { output: { entryFileNames: 'worker.mjs', keepNames: true } },
  },
})
// Rename the finished file, so that a running service never reads half a file.
mkdirSync(`${folder}dist`, { recursive: true })
renameSync(`${unfinished}/worker.mjs`, `${folder}dist/worker.mjs`)
rmSync(unfinished, { recursive: true })
