/**
 * Sends the signals of a service manager: to the main process only, or to all processes of the service. The service
 * answers what is open, and leaves no process behind, however it was started.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../support/program.ts'

/** The commands of the unit file in the documentation. */
const unit = readFileSync('docs/deploy/space-site.service', 'utf8')
const commandOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!
const FOLDER = '/opt/space-site'

const STARTS: Record<string, string[]> = {
  // Without the step that would install packages.
  'npm start': ['npm', 'start', '--ignore-scripts'],
  'the unit file': commandOf('ExecStart').replaceAll(FOLDER, process.cwd()).split(' '),
}

let folder: string
let port: number
let main: ChildProcess
let log: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-signals-'))
  port = await freePort()
})
afterEach(async () => {
  for (const pid of [main.pid!, ...descendants(main.pid!)]) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

const start = async (command: string, settings: Record<string, string> = {}) => {
  const [file, ...args] = STARTS[command]!
  log = ''
  main = spawn(file!, args, {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PORT: String(port),
      DATA_DIR: folder,
      DEMO: '0',
      RENDER_PROCESSES: '1',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  main.stderr!.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const processes = Number(settings.WEB_CONCURRENCY ?? 1)
  await expect.poll(() => log.match(/"msg":"listening"/g)?.length ?? log).toBe(processes)
}

const childrenOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

/** Returns all processes that a process has started, directly or not. */
const descendants = (pid: number): number[] =>
  childrenOf(pid).flatMap(child => [child, ...descendants(child)])

/** Whether a process exists and has not ended. */
const isAlive = (pid: number) => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const nameOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

/** Sends the first half of a request; `finish` sends the rest and resolves with the first line of the response. */
const openRequest = async () => {
  const socket = connect(port, '127.0.0.1')
  const body = JSON.stringify({ handle: 'x', password: 'y' })
  let response = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    response += text
  })
  const head = `POST /trpc/sessions.create HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  socket.write(`${head}Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`)
  await expect.poll(() => response).toContain('100 Continue')
  return async () => {
    response = ''
    socket.write(body)
    await once(socket, 'close')
    return response.split('\r\n')[0]
  }
}

describe.runIf(existsSync('/proc/self/task'))('a service', () => {
  test.each([
    ['npm start', 'SIGTERM', 'its main process'],
    ['npm start', 'SIGTERM', 'all of its processes'],
    ['npm start', 'SIGHUP', 'all of its processes'],
    ['the unit file', 'SIGTERM', 'all of its processes'],
    ['the unit file', 'SIGHUP', 'its main process'],
  ] as const)(
    'started by %s answers what is open and ends after %s to %s',
    async (command, signal, target) => {
      await start(command)
      const finish = await openRequest()
      const all = [main.pid!, ...descendants(main.pid!)]
      const ended = once(main, 'exit')
      // A service manager that signals all processes stops the database, too: the unit file says that it must not.
      const told =
        target === 'its main process' ? [main.pid!] : all.filter(pid => !nameOf(pid).includes('postgres'))
      for (const pid of told) process.kill(pid, signal)
      await expect.poll(() => log).toContain('"msg":"stopping"')
      expect(await finish()).toBe('HTTP/1.1 422 Unprocessable Entity')
      await ended
      await expect.poll(() => all.filter(isAlive)).toEqual([])
      expect(log).toContain('"msg":"stopped"')
    },
  )

  test('goes on after SIGUSR2 to all of its processes', async () => {
    await start('the unit file')
    for (const pid of [main.pid!, ...descendants(main.pid!)])
      if (isAlive(pid) && !nameOf(pid).includes('postgres')) process.kill(pid, 'SIGUSR2')
    await expect.poll(() => log).toContain('SIGUSR2 restarts processes only if WEB_CONCURRENCY is above 1')
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  })

  test('stops when the npm that runs it ends without stopping it', async () => {
    await start('npm start')
    const all = descendants(main.pid!)
    main.kill('SIGUSR2')
    await expect.poll(() => all.filter(isAlive)).toEqual([])
    expect(log).toContain('"msg":"stopped"')
  })

  test('with several processes restarts them after the reload of the unit file, and stops them after SIGTERM', async () => {
    await start('the unit file', { WEB_CONCURRENCY: '2' })
    const [, command] = /^\/bin\/sh -c '(.*)'$/.exec(commandOf('ExecReload'))!
    // systemd writes a dollar as two.
    const reload = spawn('/bin/sh', ['-c', command!.replaceAll('$$', '$')], {
      env: { MAINPID: String(main.pid) },
    })
    await once(reload, 'exit')
    await expect.poll(() => log).toContain('Restarted all processes')
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    const all = [main.pid!, ...descendants(main.pid!)]
    const ended = once(main, 'exit')
    main.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect(all.filter(isAlive)).toEqual([])
  })
})
