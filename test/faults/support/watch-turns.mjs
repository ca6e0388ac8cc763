/**
 * Preloaded into the service: records turns of the event loop that use much processor time, as lines of milliseconds in
 * the file `TURNS_FILE`. Time during which only other processes ran does not count.
 */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const INTERVAL = 10
const RECORDED = 40

const processorTime = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

if (isMainThread && process.argv[1]?.endsWith('/server/main.mjs')) {
  const file = process.env.TURNS_FILE
  let last = processorTime()
  setInterval(() => {
    const now = processorTime()
    if (now - last > RECORDED) appendFileSync(file, `${Math.round(now - last)}\n`)
    last = now
  }, INTERVAL).unref()
}
