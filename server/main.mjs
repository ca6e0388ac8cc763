// @ts-check
/**
 * Starts the service, or runs the command of the operator that the first argument names. The modules are loaded only after the memory allocator is set up. They are loaded from the code
 * that the previous start compiled, which takes a third less time.
 *
 * Plain JavaScript, like the file that it imports: to run even one TypeScript file, Node.js loads a compiler.
 */
import { enableCompileCache } from 'node:module'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { BUILDS, isCurrent } from '../routers/api/builds.mjs'

/**
 * Settings of glibc's allocator, which reads them when a process starts. By default, the heap of each thread keeps
 * freed buffers of up to 32 MiB, which add up to hundreds of megabytes after a few uploads.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/**
 * Limits the memory for new objects to two halves of 16 MiB. By default, this memory grows after a burst of requests
 * and stays large.
 */
const YOUNG_GENERATION = '--max-semi-space-size=16'

/**
 * Replaces the process with one that has the same id, but whose allocator returns memory to the system. Does nothing if
 * the process has already been replaced, if the operator has configured the allocator, or on systems other than Linux.
 * Call this before anything else.
 */
const setUpAllocator = () => {
  // Under `node --watch`, the process has a channel to its parent. A program that replaces the process could not use
  // this channel.
  if (process.platform !== 'linux' || process.connected || !process.execve) return
  if (Object.keys(ALLOCATOR).some(name => process.env[name] !== undefined)) return
  const programArguments = [YOUNG_GENERATION, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, [process.execPath, ...programArguments], { ...process.env, ...ALLOCATOR })
}

/**
 * Lets the heap grow only by half between two collections. By default, it can grow to four times its size, and hundreds
 * of megabytes of garbage from a few long lists stay in memory until the service is idle. The additional collections
 * take 2% of the processor time of small requests.
 */
const collectGarbageEarlier = () => setFlagsFromString('--heap-growing-percent=50')

setUpAllocator()
collectGarbageEarlier()
// Keep the compiled code beside the packages and not in the system's temporary folder, where others could place code.
// Without permission to write there, nothing is cached.
enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/compiled'))
// Load the bundle from `build.ts` if it is current, because that is faster. `npm run dev` always loads the sources: it
// restarts the service when a source file changes.
const isDevelopment = process.argv.includes('--dev-dashboard')
const isBundled = !isDevelopment && isCurrent(BUILDS.program)
if (process.argv[2] === undefined || isDevelopment) await import(isBundled ? './dist/run.mjs' : './run.ts')
else await import(isBundled ? './dist/command.mjs' : './command.ts')
