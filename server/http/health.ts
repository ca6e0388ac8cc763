import type { RequestListener } from 'node:http'
import { type RequestHandler, Router } from 'express'
import { isMigrated } from '../../db/migrate.ts'
import type { Core, Health } from '../../routers/api/context.ts'
import { VERSION } from '../version.ts'
import { addressOf, type IsTrusted } from './forwarded.ts'

/** The path of the check whether the process serves requests. */
export const HEALTH = '/healthz'
const HEALTHY = Buffer.from(JSON.stringify({ status: 'ok', version: VERSION }))
const HEALTH_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': HEALTHY.length }

/** Responds to `/healthz`: any response means that the process serves requests. */
export const sendHealth: RequestListener = ({ method }, res) =>
  void res.writeHead(200, HEALTH_HEADERS).end(method === 'HEAD' ? undefined : HEALTHY)

/** The answer of `/readyz`. */
interface Readiness {
  status: 'ready' | 'stopping' | 'no database' | 'migrating' | 'read-only: the disk is full'
  /** Configured dependencies that are unavailable now; left out if there are none. */
  missing?: string[]
}

/**
 * Returns whether the process can serve requests. The process can serve requests even if the file store, the shared
 * rate limits or some of the content servers are unavailable.
 */
const readinessOf = async ({ health, database }: Pick<Core, 'health' | 'database'>): Promise<Readiness> => {
  if (health.isStopping) return { status: 'stopping' }
  const isMigratedNow = health.isDatabaseUp ? await isMigrated(database).catch(() => undefined) : undefined
  const missing: string[] = []
  if (isMigratedNow === undefined) missing.push('database')
  if (!health.isWritable) missing.push('disk')
  if (health.isFileStoreUp === false) missing.push('file store')
  if (health.hasSharedLimits === false) missing.push('shared rate limits')
  for (const id of health.missingContentServers ?? []) missing.push(`content server ${id}`)
  return { status: statusOf(health, isMigratedNow), ...(missing.length > 0 ? { missing } : {}) }
}

const statusOf = ({ isWritable }: Health, isMigratedNow: boolean | undefined): Readiness['status'] => {
  if (isMigratedNow === undefined) return 'no database'
  if (!isMigratedNow) return 'migrating'
  return isWritable ? 'ready' : 'read-only: the disk is full'
}

/** The path that tells a caller how its own request arrived. */
export const ECHO = '/healthz/request'

/** The answer of {@link ECHO}. */
export interface Echo {
  service: 'space-site'
  version: string
  /** As the service understands the request. */
  host: string
  scheme: string
  address: string
  /** Whether a proxy has sent the address of its client. */
  forwarded: boolean
  /** Whether the program that connected is one of `TRUSTED_PROXIES`. */
  isTrusted: boolean
  /** `id` of the query string: another one means that the response comes from a cache. */
  id: string
}

/** Serves the checks of load balancers, service managers and `./space-site doctor`. */
export const healthRoutes = (core: Core, isTrusted: IsTrusted): Router => {
  const echo: RequestHandler = (req, res) => {
    const { id } = req.query
    res.set('Cache-Control', 'no-store').json({
      service: 'space-site',
      version: VERSION,
      host: req.hostname,
      scheme: req.protocol,
      address: addressOf(req, isTrusted),
      forwarded: req.headers['x-forwarded-for'] !== undefined,
      isTrusted: isTrusted(req.socket.remoteAddress ?? '', 0),
      id: typeof id === 'string' ? id.slice(0, 64) : '',
    } satisfies Echo)
  }
  return (
    Router({ caseSensitive: true })
      .get(HEALTH, sendHealth)
      .get(ECHO, echo)
      // Answers before the body has arrived.
      .post(ECHO, echo)
      // For a load balancer with several processes: what they all lack, such as the database or space on the disk, is no
      // reason to send a process no requests, because then nobody would get the explanation of the service.
      .get('/readyz/process', (_req, res) => {
        const status = core.health.isStopping ? 'stopping' : 'accepting requests'
        res.status(status === 'stopping' ? 503 : 200).json({ status })
      })
      .get('/readyz', async (_req, res) => {
        const readiness = await readinessOf(core)
        res.status(readiness.status === 'ready' ? 200 : 503).json(readiness)
      })
  )
}
