import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of the running processes that `parent` started. */
export function childrenOf(parent: number): number[] {
  return readdirSync(`/proc/${parent}/task`).flatMap(task =>
    readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

/** Whether a process is running; false for a zombie, which has exited but was not reaped yet. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/**
 * Sends a signal to a process if it is still running. On a busy machine, the renderer may already have replaced
 * the worker.
 */
export function send(signal: NodeJS.Signals, pid: number): void {
  if (isRunning(pid)) process.kill(pid, signal)
}

/** Returns the CPU time of a process's main thread, in ms; 0 if the process has exited. */
export function threadTimeOf(pid: number): number {
  try {
    return Number.parseInt(readFileSync(`/proc/${pid}/schedstat`, 'utf8'), 10) / 1e6
  } catch {
    return 0
  }
}

/** Returns the resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}
