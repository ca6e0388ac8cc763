import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** The service as a process of its own. */
export interface Program {
  process: ChildProcess
  /** What it has printed for people. */
  output: () => string
  /** What it has logged. */
  log: () => string
  /** Resolves when the output matches; rejects with all it said when it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal and resolves with the exit code, null when the signal itself ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Runs a file of the project with nothing in its environment but what is given. */
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
    says: pattern =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match) resolve(match)
        }
        child.stdout.on('data', look)
        look()
        void ended.then(code => reject(new Error(`It ended with ${code} and said:\n${output}\n${log}`)))
      }),
    end: signal => {
      if (signal) child.kill(signal)
      return ended
    },
  }
}

/** A port that nothing listens on at the moment. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
