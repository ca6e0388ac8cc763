import { readFile } from 'node:fs/promises'

/** What a process's first thread has had of the machine so far, in ms: time on a core, and time ready but without one. */
export const coreTimeOf = async (pid: number): Promise<{ used: number; waited: number }> => {
  const [used = 0, waited = 0] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'))
    .split(' ')
    .map(nanoseconds => Number(nanoseconds) / 1e6)
  return { used, waited }
}
