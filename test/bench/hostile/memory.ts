import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from '../../liquid/process-info.ts'

const mibOf = async (pid: number): Promise<number> => {
  // One that has just ended holds nothing any more.
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}

/** Memory of a process and of its children in MiB; what several share is divided among them. */
export const memoryOf = async (parent: number): Promise<{ own: number; children: number; total: number }> => {
  const own = await mibOf(parent)
  let children = 0
  for (const pid of childrenOf(parent)) children += await mibOf(pid)
  return { own: Math.round(own), children: Math.round(children), total: Math.round(own + children) }
}

/** Waits until a process with its children holds no more than `most` MiB. @returns seconds, or null after `patience` */
export const secondsUntil = async (
  parent: number,
  most: number,
  patience: number,
): Promise<number | null> => {
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  while (seconds() < patience) {
    if ((await memoryOf(parent)).total <= most) return seconds()
    await setTimeout(250)
  }
  return null
}
