import { readFile } from 'node:fs/promises'

/**
 * Returns how long a process's main thread has run on a core so far, and how long it has waited for a core, in ms.
 */
export const coreTimeOf = async (pid: number): Promise<{ used: number; waited: number }> => {
  const [used = 0, waited = 0] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'))
    .split(' ')
    .map(nanoseconds => Number(nanoseconds) / 1e6)
  return { used, waited }
}
