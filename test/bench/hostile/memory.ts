import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from '../../liquid/process-info.ts'

const mibOf = async (pid: number): Promise<number> => {
  // A process that has just exited uses no memory.
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}

/** Memory of a process and its children, in MiB; shared memory is divided among them. */
export const memoryOf = async (parent: number): Promise<{ own: number; children: number; total: number }> => {
  const own = await mibOf(parent)
  let children = 0
  for (const pid of childrenOf(parent)) children += await mibOf(pid)
  return { own: Math.round(own), children: Math.round(children), total: Math.round(own + children) }
}

/**
 * Waits until a process and its children together use no more than `most` MiB of memory.
 *
 * @returns how many seconds that took, or null after `timeout` seconds
 */
export const secondsUntil = async (parent: number, most: number, timeout: number): Promise<number | null> => {
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  while (seconds() < timeout) {
    if ((await memoryOf(parent)).total <= most) return seconds()
    await setTimeout(250)
  }
  return null
}
