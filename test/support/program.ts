import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A running process. */
export interface Program {
  process: ChildProcess
  /** Everything written to stdout. */
  output: () => string
  /** Everything written to stderr. */
  log: () => string
  /** Resolves once stdout matches. Rejects with the whole output if the process ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal, if given, and resolves with the exit code, or null if the signal ended the process. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Runs a file of the project with only the given environment. */
export const run = (file: string, environment: Record<string, string>, args: string[] = []): Program => {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    process: child,
    output: () => output,
    log: () => log,
    waitForOutput: pattern =>
      new Promise((resolve, reject) => {
        const check = () => {
          const match = pattern.exec(output)
          if (match) resolve(match)
        }
        child.stdout.on('data', check)
        check()
        void ended.then(code => reject(new Error(`The process exited with ${code}:\n${output}\n${log}`)))
      }),
    end: signal => {
      if (signal) child.kill(signal)
      return ended
    },
  }
}

/** Ports below the ranges that operating systems use for outgoing connections and for servers that ask for any port. */
const PORTS = { from: 10_240, to: 32_000 }

/** Maximum number of workers that Vitest runs at the same time. */
const WORKERS = 16

/** Number of ports of each worker. Each worker has its own range, so that no two workers pick the same port. */
const own = Math.floor((PORTS.to - PORTS.from) / WORKERS)
const first = PORTS.from + own * (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS)
let next = randomInt(own)

/**
 * Returns a free port. Does not return the same port again for a long time, because the caller may use it much later.
 *
 * @param count the number of consecutive free ports; the first one is returned
 */
export const freePort = async (count = 1): Promise<number> => {
  for (;;) {
    if (next + count > own) next = 0
    const port = first + next
    next += count
    const areFree = await Promise.all(Array.from({ length: count }, (_, n) => isFree(port + n)))
    if (areFree.every(Boolean)) return port
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
