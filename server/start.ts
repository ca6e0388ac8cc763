import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { migrate } from '../db/migrate.ts'
import { openDatabase, sqlOf } from '../db/orm.ts'
import { writeLastUses } from '../db/queries/last-uses.ts'
import { documentFetcher } from '../facades/oauth/fetch-document.ts'
import { lastUsed } from '../routers/access/last-used.ts'
import { connectRateStore, rateLimiter } from '../routers/access/rate-limit.ts'
import { addresses } from '../routers/core/addresses.ts'
import type { Core } from '../routers/core/context.ts'
import { clientDocuments } from '../routers/credentials/oauth/client-documents.ts'
import { startRenderer } from '../routers/liquid/renderer.ts'
import { startMarkdownConverter } from '../routers/social/posts/markdown/converter.ts'
import { createApp } from './app.ts'
import { locateDatabase } from './locate-database.ts'
import type { Settings } from './settings.ts'

/** A service that is up. */
export interface Service {
  core: Core
  port: number
  /** Answers what has been asked, takes nothing new, and lets go of everything. Idempotent. */
  stop(): Promise<void>
}

/** Milliseconds that requests under way may take to end once the service stops. */
const FAREWELL = 10_000

/** Attempts to sign in, new accounts and questions for passkeys, and the seconds they are counted for. */
const ATTEMPTS = { byHandle: 10, byClient: 100, signUps: 100, challenges: 300, seconds: 15 * 60 }

/** Previews of posts that one person may have made: more than anybody types pauses in. */
const PREVIEWS_PER_MINUTE = 120

/** Registrations of clients and fetches of their descriptions, by network address, and the seconds they are counted for. */
const CLIENTS = { registrations: 60, lookups: 60, seconds: 15 * 60 }

/**
 * Starts everything: the database, its schema, the evaluation of templates, the doors.
 *
 * @param onDatabaseDeath hears when the database that comes along ends by itself; nothing can be served then
 * @param liveScreen answers for the screen while that is being worked on
 * @throws EmbeddedPostgresError, the database's own errors, or a listening error such as EADDRINUSE
 */
export const startService = async (
  settings: Settings,
  log: Logger,
  onDatabaseDeath: (reason: string) => void = () => {},
  liveScreen?: RequestHandler,
): Promise<Service> => {
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step()
  }
  try {
    const database = await locateDatabase(settings, log, onDatabaseDeath)
    closing.push(() => database.stop())
    const orm = await openDatabase(database.location, settings.databasePool, line =>
      log.info({ line }, 'orm'),
    )
    closing.push(() => orm.close())
    await migrate(orm)

    const store = settings.redisUrl
      ? connectRateStore(settings.redisUrl, err =>
          log.warn({ err }, 'The store of rate limits is away; calls are counted in memory'),
        )
      : null
    closing.push(() => store?.close())
    const uses = lastUsed(
      batch => writeLastUses(sqlOf(orm), batch),
      err => log.warn({ err }, 'Last uses of keys and tokens could not be written'),
    )
    closing.push(() => uses.flush())
    const renderer = startRenderer({ processes: settings.renderProcesses, log })
    closing.push(() => renderer.stop())
    const markdown = startMarkdownConverter()
    closing.push(() => markdown.stop())

    const core: Core = {
      orm,
      addresses: addresses(settings),
      signUp: settings.signUp,
      calls: rateLimiter('calls', settings.callsPerMinute, 60, store),
      attempts: {
        byHandle: rateLimiter('sign-in-handle', ATTEMPTS.byHandle, ATTEMPTS.seconds, store),
        byClient: rateLimiter('sign-in-client', ATTEMPTS.byClient, ATTEMPTS.seconds, store),
        signUps: rateLimiter('sign-up', ATTEMPTS.signUps, ATTEMPTS.seconds, store),
        challenges: rateLimiter('passkey-challenge', ATTEMPTS.challenges, ATTEMPTS.seconds, store),
      },
      oauth: {
        registrations: rateLimiter('client-registration', CLIENTS.registrations, CLIENTS.seconds, store),
        lookups: rateLimiter('client-lookup', CLIENTS.lookups, CLIENTS.seconds, store),
        documents: clientDocuments(documentFetcher()),
      },
      previews: rateLimiter('post-previews', PREVIEWS_PER_MINUTE, 60, store),
      lastUsed: uses,
      renderer,
      markdown,
      operators: new Set(settings.operators),
      log,
    }
    const app = createApp(core, log, settings.trustedProxies, liveScreen)
    const server = await listen(createServer(app), settings)
    closing.push(() => endConnections(server))
    return { core, port: (server.address() as AddressInfo).port, stop: close }
  } catch (error) {
    await close()
    throw error
  }
}

const listen = (server: Server, { host, port }: Settings): Promise<Server> =>
  new Promise((resolve, reject) => {
    // Without this Node answers `Expect: 100-continue` by itself, and refused bodies would be sent all the same.
    server.on('checkContinue', (req, res) => server.emit('request', req, res))
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })

/** Lets requests under way end, for a bounded time. */
const endConnections = (server: Server) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(() => server.closeAllConnections(), FAREWELL)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
