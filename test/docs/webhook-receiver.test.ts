import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RECEIVER } from '../../facades/docs/webhooks.ts'
import { changesBody, testBody } from '../../routers/spaces/webhooks/events.ts'
import { newWebhookSecret, signedHeaders } from '../../routers/spaces/webhooks/signature.ts'
import { freePort } from '../support/program.ts'

test('the receiver of the reference checks what it gets, and does the same work only once', async () => {
  // Inside the project, so that it finds the package.
  const folder = await mkdtemp(path.join(import.meta.dirname, '../../node_modules/.cache/receiver-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(path.join(folder, 'receiver.mjs'), RECEIVER)
  const secret = newWebhookSecret()
  const port = await freePort()
  const receiver = spawn(process.execPath, [path.join(folder, 'receiver.mjs')], {
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void receiver.kill())
  let printed = ''
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const address = `http://127.0.0.1:${port}/`
  await expect
    .poll(() =>
      fetch(address, { method: 'POST' }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(400)

  const now = new Date()
  const change = {
    revision: '7',
    kind: 'page' as const,
    thing: 'k3v9x2m7q4t8w5z6',
    name: 'home',
    was: true,
    is: true,
    at: now,
    actor_kind: 'session' as const,
    actor_label: null,
    account: 'a',
    handle: 'robin',
    agent: null,
  }
  const body = changesBody('garden', now, [change], { continues: false, missed: null })
  const send = async (sent: string, signed = sent, key = secret) =>
    (await fetch(address, { method: 'POST', body: sent, headers: signedHeaders([key], 'm1', signed, now) }))
      .status
  expect(await send(body, body, newWebhookSecret())).toBe(400)
  expect(await send(body.replace('home', 'house'), body)).toBe(400)
  expect(await send(body)).toBe(204)
  expect(await send(body)).toBe(204)
  expect(await send(testBody('garden', now))).toBe(204)
  receiver.kill()
  await once(receiver, 'close')
  expect(printed).toBe('changed page home\n')
  expect(RECEIVER.split('\n').length).toBeLessThanOrEqual(20)
})
