import { readFile } from 'node:fs/promises'

/** Processor time of a process's main thread so far, in ms: time on a core, and time waiting for one. */
export const coreTimeOf = async (pid: number): Promise<{ used: number; waited: number }> => {
  const [used = 0, waited = 0] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'))
    .split(' ')
    .map(nanoseconds => Number(nanoseconds) / 1e6)
  return { used, waited }
}
