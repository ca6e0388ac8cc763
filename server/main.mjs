// @ts-check
/**
 * Starts the service. Its modules are loaded only after the memory allocator is set up. They are loaded from the code
 * that the previous start compiled, which takes a third less time.
 *
 * Plain JavaScript, like the files that it imports: to run even one TypeScript file, Node.js loads a compiler.
 */
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { BUILDS, isCurrent } from '../routers/core/builds.mjs'
import { collectGarbageEarlier, setUpAllocator } from './allocator.mjs'

setUpAllocator()
collectGarbageEarlier()
// Keep the compiled code beside the packages and not in the system's temporary folder, where others could place code.
// Without permission to write there, nothing is cached.
enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/compiled'))
// Load the bundle from `build.ts` if it is current, because that is faster. `npm run dev` always loads the sources: it
// restarts the service when a source file changes.
const isBundled = !process.argv.includes('--dev-dashboard') && isCurrent(BUILDS.program)
await import(isBundled ? './dist/run.mjs' : './run.ts')
