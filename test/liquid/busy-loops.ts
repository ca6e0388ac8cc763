import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Starts processes that each keep a core busy.
 *
 * @returns a function that ends them
 */
export async function startBusyLoops(count: number): Promise<() => void> {
  const loops = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'console.log("busy"); for (;;) {}'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  await Promise.all(loops.map(({ stdout }) => once(stdout, 'data')))
  return () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}
