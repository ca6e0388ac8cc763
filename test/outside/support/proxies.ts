import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../faults/support/http.ts'

/** A running proxy with the configuration that the documents recommend. */
export interface Proxy {
  /** Stops sending requests to a process that is about to stop. */
  takeOut(port: number): Promise<void>
  /** Ends the effect of `takeOut`: the process gets requests again. */
  putBack(port: number): Promise<void>
  stop(): Promise<void>
}

/** The names and ports of the documented configuration of nginx, which the tests replace. */
const DOCUMENTED = {
  ports: [3001, 3002, 3003, 3004],
  names: /\*\.example-(sites|pages|files|posts)\.com/g,
}

const documented = (name: string) =>
  readFile(new URL(`../../../docs/proxies/${name}`, import.meta.url), 'utf8')

/**
 * Adapts the configuration of nginx to a test. Replaces the ports of the processes with `ports`, and the
 * domain names with names below `localhost`.
 */
const adapted = (configuration: string, ports: readonly number[]) =>
  DOCUMENTED.ports
    .reduce(
      (text, port, index) => text.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${ports[index]}`),
      configuration,
    )
    .replaceAll(DOCUMENTED.names, '*.$1.localhost')
    .replaceAll('example.com', 'localhost')

/** Starts a program that listens on a port, and resolves when it responds there. */
const start = async (port: number, command: string, args: string[], env: Record<string, string> = {}) => {
  const child = spawn(command, args, { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } })
  const check = { path: '/healthz', headers: { host: `localhost:${port}` }, timeout: 5_000 }
  while ((await call(port, check)).status !== 200) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`)
    await sleep(50)
  }
  return child
}

const end = async (child: ChildProcess, folder: string) => {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  await rm(folder, { recursive: true, force: true })
}

/** Starts nginx. Takes a process out by marking it as down, as `docs/operating.md` describes. */
const startNginx = async (port: number, ports: readonly number[]): Promise<Proxy> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-nginx-'))
  const file = path.join(folder, 'nginx.conf')
  const [site = ''] = adapted(await documented('nginx.conf'), ports)
    .split('# The domains of spaces.')
    .map(text =>
      text
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
        .replace(/^ *(listen \[|ssl_certificate).*\n/gm, ''),
    )
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${folder}/${kind};`,
  )
  const down = new Set<number>()
  const write = () => {
    const current = [...down].reduce(
      (text, one) => text.replace(`server 127.0.0.1:${one};`, `server 127.0.0.1:${one} down;`),
      site,
    )
    return writeFile(
      file,
      `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
       events {} http { access_log off; ${folders.join(' ')} ${current} }`,
    )
  }
  await write()
  const args = ['-c', file, '-e', path.join(folder, 'error.log')]
  const child = await start(port, 'nginx', args)
  const reload = async () => {
    await write()
    child.kill('SIGHUP')
  }
  return {
    takeOut: one => {
      down.add(one)
      return reload()
    },
    putBack: one => {
      down.delete(one)
      return reload()
    },
    stop: () => end(child, folder),
  }
}

/** Starts Caddy. It notices by itself when a process stops. */
const startCaddy = async (port: number, ports: readonly number[]): Promise<Proxy> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'space-site-caddy-'))
  const file = path.join(folder, 'Caddyfile')
  const site = (await documented('Caddyfile'))
    .replace(
      'reverse_proxy {$SERVICE:127.0.0.1:3000}',
      `reverse_proxy ${ports.map(one => `127.0.0.1:${one}`).join(' ')}`,
    )
    .replaceAll(/\*\.\{\$\w+:[^}]*\}/g, name => `http://${name}`)
    // Without https, nothing asks for certificates.
    .replace(/^(?:\{|https:\/\/ \{)\n[\s\S]*?^\}\n/gm, '')
    .replace(/^\ttls .*\n/m, '')
  await writeFile(file, `{\n\tadmin off\n}\n${site}`)
  const child = await start(port, 'caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    HOME: folder,
    API_ROOT: `http://localhost:${port}`,
    ...Object.fromEntries(
      ['sites', 'pages', 'files', 'posts'].map(kind => [
        `${kind.toUpperCase().replace('SITES', 'SITE')}_DOMAIN`,
        `${kind}.localhost:${port}`,
      ]),
    ),
  })
  return {
    takeOut: () => Promise.resolve(),
    putBack: () => Promise.resolve(),
    stop: () => end(child, folder),
  }
}

export const proxies = { nginx: startNginx, Caddy: startCaddy }
