import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { sources } from '../../routers/rendering/workers/program.ts'

test('the sources of the worker program may read all modules that they import', async () => {
  const { entry, readable } = sources()
  const child = fork(entry, [], {
    execArgv: ['--permission', ...readable.map(path => `--allow-fs-read=${path}`), '--no-warnings'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => `ended with ${code}`)
  const ready = once(child, 'message').then(() => 'ready')
  expect(await Promise.race([ready, ended])).toBe('ready')
})
