/** The program of the package: runs a command in this process. */
import './node-20.ts'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Progress } from './progress.ts'
import { run } from './run.ts'

const { stdin, stdout, stderr, env, platform } = process

const progress = new Progress(text => stderr.write(text), stderr.isTTY && !env.CI)

/** Asks for a line. What is typed after a secret question is not shown. */
const ask = async (question: string, isSecret = false): Promise<string> => {
  progress.step('')
  progress.clear()
  stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: isSecret ? silent : stderr, terminal: true })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Error('Stopped.')))
      lines.once('close', () => resolve(''))
      lines.question('').then(resolve, reject)
    })
  } finally {
    lines.close()
    if (isSecret) stderr.write('\n')
  }
}

const browse = (address: string): void => {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  // The address is printed too, so it does not matter if there is no browser.
  spawn(program, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

const untilStopped = (): AbortSignal => {
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort())
  return stopped.signal
}

const packageFolder = fileURLToPath(new URL('.', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string
}

// The reader of the output may leave early, as `head` does. A command then still finishes what it has begun.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2), {
  cwd: process.cwd(),
  env,
  isInteractive: stdin.isTTY && stderr.isTTY && !env.CI,
  print: line => {
    progress.clear()
    stdout.write(`${line}\n`)
  },
  note: line => {
    progress.clear()
    stderr.write(`${line}\n`)
  },
  progress: progress.step,
  ask,
  browse,
  untilStopped,
  fetch,
  packageFolder,
  version,
})
progress.end()
