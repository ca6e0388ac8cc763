import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { childrenOf } from '../../liquid/children.ts'

/** Memory of a process and its children in MiB, each page that several share counted once. */
export const memoryOf = async (parent: number): Promise<number> => {
  let kib = 0
  for (const pid of [parent, ...childrenOf(parent)]) {
    // One that has just ended holds nothing any more.
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
    kib += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  }
  return Math.round(kib / 1024)
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
    if ((await memoryOf(parent)) <= most) return seconds()
    await setTimeout(250)
  }
  return null
}
