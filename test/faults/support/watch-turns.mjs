/**
 * Preloaded into the service: appends a line to the file `TURNS_FILE` for each turn of the event loop that uses much
 * processor time, with the milliseconds used. Time during which only other processes ran does not count.
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
