import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPidFile } from './predecessor.ts'
import type { ServiceUser } from './user.ts'

/**
 * A shell becomes the server and leaves a watcher behind, which waits for the end of a pipe that only this
 * process holds open. However this process ends, the kernel closes the pipe and the watcher asks the server
 * to shut down. A line in the pipe says that the server is gone already, and its number may be another's.
 */
const withWatcher =
  '( (trap "" HUP INT TERM; read -r line || kill -INT $$) <&3 >/dev/null 2>&1 & ); exec "$0" "$@" 3<&-'

const keptLines = 20

/** A server process, not necessarily ready. */
export interface ServerProcess {
  /** Resolves when it takes connections; `false` when it ended before. */
  ready: Promise<boolean>
  /** Resolves when it has ended, with how it ended and its last words. */
  ended: Promise<string>
  /** Asks it to shut down at once, without waiting for its clients. */
  askToStop(): void
}

/**
 * Starts the server in a session of its own, so that Ctrl+C at a terminal reaches us and not it.
 * @param data the data folder, also its working directory
 * @param options the arguments of `postgres`
 * @param onLog gets each line that the server logs
 */
export function startServer(
  postgres: string,
  options: string[],
  data: string,
  user: ServiceUser | undefined,
  onLog: (line: string) => void,
): ServerProcess {
  const child = spawn('/bin/sh', ['-c', withWatcher, postgres, ...options], {
    ...user,
    cwd: data,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const lifeline = child.stdio[3] as Writable
  lifeline.on('error', () => {})
  const lastLines: string[] = []
  createInterface({ input: child.stderr! }).on('line', line => {
    if (lastLines.push(line) > keptLines) lastLines.shift()
    onLog(line)
  })
  const ended = endOf(child).then(how => {
    lifeline.end('\n')
    return [how, ...lastLines].join('\n')
  })
  return { ready: untilReady(child, data), ended, askToStop: () => lifeline.end() }
}

async function endOf(child: ChildProcess): Promise<string> {
  const lastWords = once(child.stderr!, 'close').catch(() => {})
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    // Its last words may still be on their way; a child of its own may keep the pipe open, so not for ever.
    await Promise.race([lastWords, sleep(200)])
    return signal ? `It was ended by ${signal}.` : `It ended with code ${code}.`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function untilReady(child: ChildProcess, data: string): Promise<boolean> {
  // A child that could not be started has no number.
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const file = await readPidFile(data)
    if (file && file.pid === child.pid && file.status === 'ready') return true
    await sleep(10)
  }
  return false
}
