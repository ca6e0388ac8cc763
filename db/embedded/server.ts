import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPidFile } from './previous-server.ts'
import type { ServiceUser } from './user.ts'

/**
 * A shell starts a watcher in the background and then becomes the server. The watcher reads from a pipe that only the
 * service holds open. When the service ends for any reason, the kernel closes the pipe, and the watcher tells the
 * server to shut down. If the server exits first, the service writes a line to the pipe. The watcher then sends no
 * signal, because another process may have the server's pid by now.
 */
const withWatcher =
  '( (trap "" HUP INT TERM; read -r line || kill -INT $$) <&3 >/dev/null 2>&1 & ); exec "$0" "$@" 3<&-'

const keptLines = 20

/** A server process, which may not be ready yet. */
export interface ServerProcess {
  /** Resolves to `true` when the server accepts connections, or to `false` if it exits first. */
  ready: Promise<boolean>
  /** Resolves when the server has exited, with the reason and its last lines of output. */
  ended: Promise<string>
  /** Tells the server to shut down at once, without waiting for its clients. */
  requestStop(): void
}

/**
 * Starts the server in its own session, so that Ctrl+C at a terminal reaches this process and not the server.
 * @param data the data folder, which is also the working directory of the server
 * @param options the arguments of `postgres`
 * @param onLog called with each line that the server logs
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
  const ended = waitForExit(child).then(reason => {
    lifeline.end('\n')
    return [reason, ...lastLines].join('\n')
  })
  return { ready: waitUntilReady(child, data), ended, requestStop: () => lifeline.end() }
}

/** Returns how the process ended. */
async function waitForExit(child: ChildProcess): Promise<string> {
  const outputEnd = once(child.stderr!, 'close').catch(() => {})
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    // The last output may still be in the pipe. The timeout is needed if a child process of the server keeps the pipe
    // open.
    await Promise.race([outputEnd, sleep(200)])
    return signal ? `It was killed by ${signal}.` : `It exited with code ${code}.`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function waitUntilReady(child: ChildProcess, data: string): Promise<boolean> {
  // A child that failed to start has no pid.
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const file = await readPidFile(data)
    if (file && file.pid === child.pid && file.status === 'ready') return true
    await sleep(10)
  }
  return false
}

/**
 * The settings of the embedded server: small enough for a laptop or a container, quiet, and private.
 * @param durable false makes writes faster, but a machine crash can lose data; only tests pass false
 */
export function serverSettings(durable: boolean): Record<string, string> {
  return {
    max_connections: '50',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    min_wal_size: '32MB',
    // Small containers have little or no /dev/shm.
    dynamic_shared_memory_type: 'mmap',
    // Many short queries gain nothing from parallel plans, JIT or I/O workers.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    io_method: 'sync',
    // Cancels statements whose client has disconnected.
    client_connection_check_interval: '5s',
    // No replication.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Log messages about the server itself, but no errors of statements. Clients receive these errors anyway, and
    // logged statements would contain user content. The value 'log' leaves these errors out, because PostgreSQL ranks
    // the level "log" above the level "error" here.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_statement: 'none',
    log_checkpoints: 'off',
    log_line_prefix: '',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
}
