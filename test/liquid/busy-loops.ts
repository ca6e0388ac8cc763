import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Keeps a core busy while the parent is running, so that no loop is left behind when the parent crashes. */
const LOOP = `console.log('busy')
const parent = process.ppid
while (process.ppid === parent) for (let turn = 0; turn < 1e7; turn++);`

/**
 * Starts processes that each keep a core busy.
 *
 * @returns a function that ends them
 */
export async function startBusyLoops(count: number): Promise<() => void> {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', LOOP], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  await Promise.all(loops.map(({ stdout }) => once(stdout, 'data')))
  return () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}
