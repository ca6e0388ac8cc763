import { existsSync, readFileSync } from 'node:fs'
import { childrenOf } from '../../liquid/process-info.ts'

/** Length of a clock tick of `/proc` in µs. */
const TICK = 10_000

/** Returns the CPU time of a process and its children, including children that have ended, in µs. */
export const cpuOfTree = (pid: number): number =>
  own(pid) + living(pid).reduce((sum, child) => sum + cpuOfTree(child), 0)

/**
 * Returns the child processes of a process; none if it has ended. Retries, because its threads can end while they are
 * listed.
 */
const living = (pid: number, attempts = 5): number[] => {
  try {
    return childrenOf(pid)
  } catch (error) {
    if (!existsSync(`/proc/${pid}`)) return []
    // A thread ended after it was listed and before its children were read.
    if (attempts === 0) throw error
    return living(pid, attempts - 1)
  }
}

const own = (pid: number): number => {
  try {
    // The name of the program, in parentheses, can contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK
  } catch {
    // The process has just ended. The CPU time of its parent now includes the CPU time of this process.
    return 0
  }
}
