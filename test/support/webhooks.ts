import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, inject } from 'vitest'
import { webhookSender } from '../../facades/http/webhook-sender.ts'
import { type WebhookDispatcher, webhookDispatcher } from '../../routers/spaces/webhooks/deliver.ts'
import { EVENTS } from '../../routers/spaces/webhooks/events.ts'
import { CERTIFICATE, type DocumentHost, documentHost } from '../oauth/support/document-host.ts'
import { copyDatabase } from './database.ts'
import { startTestService, type TestService, type TestSpace, uniqueName } from './test-service.ts'
import { withoutIntervals } from './without-intervals.ts'

/** A message that a receiver got. */
export interface Received {
  headers: Record<string, string>
  body: string
  /** The parsed body. */
  event: { type: string; data: { space: string; changes: Told[]; continues: boolean; missed: unknown } }
}

/** A change, as a receiver is told about it. */
export interface Told {
  kind: string
  id: string
  name: string
  action: string
  at: string
  revision: number
  by: { kind: string; handle: string | null; label: string | null; agent: string | null }
}

/** An address of a test that receives messages. */
export interface Receiver {
  url: string
  messages: Received[]
  /** The changes of all messages, in the order in which they came: `page home created`. */
  changes: () => string[]
  /** Answers a message; by default with 204. */
  answer: (res: ServerResponse, req: IncomingMessage) => void
}

export interface AddedWebhook extends Receiver {
  id: string
  secret: string
}

export const status = (code: number) => (res: ServerResponse) => void res.writeHead(code).end()

/** A service that delivers only when the test says so, at the time that the test says. */
export interface WebhookService {
  service: TestService
  /** Returns a new address that receives messages. */
  receiver: () => Receiver
  /** Adds a webhook for a receiver, by default with all events. It is tested unless the test does so itself. */
  add: (
    space: TestSpace,
    options?: { url?: string; events?: readonly string[]; isTested?: boolean },
  ) => Promise<AddedWebhook>
  /** Delivers what is due, and everything that follows at once. */
  deliver: () => Promise<void>
  /** Moves the time of deliveries forward, in ms. */
  pass: (time: number) => void
  now: () => Date
  /** Another process that delivers. The caller stops it. */
  another: () => WebhookDispatcher
}

const unexpected = (error: unknown) => {
  throw error
}

/** Starts such a service before the tests of a file, and stops it afterwards. */
export const useWebhookService = (): WebhookService => {
  const started = {} as WebhookService
  const receivers = new Map<string, Receiver>()
  let host: DocumentHost
  let passed = 0
  let dispatcher: WebhookDispatcher
  started.now = () => new Date(Date.now() + passed)
  started.pass = time => {
    passed += time
  }
  started.another = () => webhookDispatcher(started.service.core, unexpected, started.now)

  beforeAll(async () => {
    host = await documentHost((req, res) => void receive(req, res))
    const databaseUrl = await copyDatabase(inject('database'))
    started.service = await withoutIntervals(() => startTestService({ databaseUrl }))
    started.service.core.sendWebhook = webhookSender({
      resolve: async name => [name === 'client.test' ? '127.0.0.1' : '10.0.0.1'],
      isAllowed: address => address === '127.0.0.1',
      ca: CERTIFICATE,
      timeout: 60_000,
    })
    dispatcher = started.another()
  })
  afterAll(async () => {
    await dispatcher.stop()
    await started.service.stop()
    await host.close()
  })

  const receive = async (req: IncomingMessage, res: ServerResponse) => {
    const receiver = receivers.get(req.url!)
    if (!receiver) return void res.writeHead(404).end()
    let body = ''
    for await (const chunk of req.setEncoding('utf8') as AsyncIterable<string>) body += chunk
    const headers = req.headers as Record<string, string>
    receiver.messages.push({ headers, body, event: JSON.parse(body) as Received['event'] })
    receiver.answer(res, req)
  }

  started.receiver = () => {
    const path = `/${uniqueName('hook')}`
    const messages: Received[] = []
    const receiver: Receiver = {
      url: host.origin + path,
      messages,
      changes: () =>
        messages.flatMap(({ event }) =>
          (event.data.changes ?? []).map(({ kind, name, action }) => `${kind} ${name} ${action}`),
        ),
      answer: status(204),
    }
    receivers.set(path, receiver)
    return receiver
  }
  started.deliver = async () => {
    await dispatcher.wake()
    await dispatcher.send()
    await dispatcher.settled()
  }
  started.add = async ({ owner, subdomain }, { url, events = EVENTS, isTested = true } = {}) => {
    const receiver = started.receiver()
    const added = await owner.webhooks.add({
      subdomain,
      url: url ?? receiver.url,
      events: [...events] as (typeof EVENTS)[number][],
    })
    if (isTested) {
      await owner.webhooks.test({ subdomain, webhook_id: added.id })
      await started.deliver()
      receiver.messages.length = 0
    }
    return Object.assign(receiver, added)
  }
  return started
}

/** Writes a record of a space. */
export const put = (space: TestSpace, key: string, value: unknown = 1) =>
  space.api.put(`/data/${key}`, { value })

/** Names a webhook in an input. */
export const of = ({ subdomain }: TestSpace, { id }: AddedWebhook) => ({ subdomain, webhook_id: id })

/** A webhook as its owner sees it. */
export const stateOf = async ({ owner, subdomain }: TestSpace, { id }: AddedWebhook) =>
  (await owner.webhooks.list({ subdomain })).find(webhook => webhook.id === id)!
