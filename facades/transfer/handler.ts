import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type AnyTRPCRouter, callTRPCProcedure } from '@trpc/server'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { z } from 'zod'
import { type Actor, callerOf } from '../../routers/api/actor.ts'
import type { Context, RateLimiter } from '../../routers/api/context.ts'
import { countCall } from '../../routers/api/credential.ts'
import { subdomainFrom } from '../../routers/api/fields.ts'
import { invalid, Problem } from '../../routers/api/problem.ts'
import { countCalls } from '../../routers/api/refusals.ts'
import { limits } from '../../routers/api/rules.ts'
import { maxArchiveSize } from '../../routers/content/transfer/archive-format.ts'
import type { TaggedListing } from '../../routers/content/transfer/listing.ts'
import type { ReadJson } from '../http/body.ts'
import { verdictOn } from '../http/conditional-requests.ts'
import { isCrossSite } from '../http/cross-site.ts'
import { drain } from '../http/drain.ts'
import { requireProgress, STALLED } from '../http/progress.ts'
import { tooLarge } from '../http/receive-body.ts'
import { type ErrorOptions, sendError } from '../http/send-error.ts'
import { sendPrivate } from '../http/send-private.ts'
import { sendVerdict } from '../http/send-text.ts'
import { signInCookies } from '../http/sign-in-cookies.ts'
import { DiskSpace } from './disk-space.ts'
import { ArchiveSlots } from './slots.ts'

/** Dependencies of {@link transferHandler}. */
export interface TransferOptions extends ErrorOptions {
  router: AnyTRPCRouter
  /** Origin of the dashboard; requests from other origins are refused. */
  origin: string
  readJson: ReadJson
  /** Counts calls by account. */
  limiter: RateLimiter
  authenticate: (sessionToken: string | undefined) => Promise<Actor | null>
  /** Identifies the holder of the key in an `Authorization` header. */
  identify: (authorization: string) => Promise<Actor | null>
  contextFor: (actor: Actor) => Context
  /** Number of bytes that stay free on the disk for temporary files. */
  minFreeDisk: number
}

/** The procedures that are called here, with their types. */
const PROCEDURES = {
  'transfer.export': 'query',
  'transfer.exportFiles': 'query',
  'transfer.import': 'mutation',
  'transfer.list': 'query',
  'transfer.exportItems': 'query',
  'transfer.change': 'mutation',
  'history.list': 'query',
  'history.undo': 'mutation',
  'history.restore': 'mutation',
} as const

type ProcedureName = keyof typeof PROCEDURES

/**
 * `GET /transfer/{subdomain}` downloads a space as a zip archive. `POST /transfer/{subdomain}/files` downloads the
 * files that the body lists as `file_ids`. `POST /transfer/{subdomain}` uploads an archive: without `plan` in the
 * query, it returns what an import would change and the id of this plan; with that id as `plan`, it imports the
 * archive. Archives are stored in a temporary file, so that a slow client holds neither memory nor a transaction nor the
 * turn of another archive.
 *
 * `GET /transfer` tells which space a key is for. `/transfer/{subdomain}/items` is for programs with a key: `GET` lists the items of a space, after waiting for a
 * change if the caller has the listing and prefers to wait; `POST` downloads those
 * whose `paths` the body lists, and `PATCH` uploads an archive of changed items. `GET …/changes`, `POST …/undo` and
 * `POST …/restore` do what the tools `list_changes`, `undo` and `restore` do, with the same arguments.
 */
export const transferHandler = (options: TransferOptions): Router => {
  const { origin, limiter, router } = options
  const cookies = signInCookies(origin)
  const slots = new ArchiveSlots()
  const disk = new DiskSpace(options.minFreeDisk)

  const authenticate = async (req: Request): Promise<Actor> => {
    if (isCrossSite(req, origin)) throw new Problem('cross_site_request')
    const actor = await options.authenticate(cookies.session(req))
    if (!actor) throw new Problem('sign_in_required')
    await countCalls(limiter, options.contextFor(actor), callerOf(actor))
    return actor
  }

  /** Like {@link authenticate}, but also accepts a key. The procedure counts the calls of keys. */
  const authenticateProgram = async (req: Request): Promise<Actor> => {
    const { authorization } = req.headers
    if (authorization === undefined) return authenticate(req)
    const actor = await options.identify(authorization)
    if (!actor) throw new Problem('unauthorized')
    return actor
  }

  /** @param input what the procedure gets, or a function that is called when the procedure has checked the caller */
  const call = (
    name: ProcedureName,
    actor: Actor,
    archive: string | undefined,
    input: { subdomain?: unknown } | (() => Promise<object>),
    res: Response,
  ): Promise<unknown> =>
    callTRPCProcedure({
      router,
      path: name,
      type: PROCEDURES[name],
      ctx: {
        ...options.contextFor(actor),
        path: { subdomain: subdomainFrom(res.req.params) ?? '' },
        ...(archive === undefined ? {} : { archive }),
      },
      getRawInput: async () => (typeof input === 'function' ? input() : input),
      signal: whileOpen(res),
      batchIndex: 0,
    })

  /** Sends an archive that the procedure writes. @param title the name of the download, without its extension */
  const send = (
    req: Request,
    res: Response,
    actor: Actor,
    name: ProcedureName,
    input: object,
    title: string,
  ): Promise<void> =>
    slots.use(actor.accountId, async archive => {
      await disk.require(path.dirname(archive.path))
      await archive.work(() => call(name, actor, archive.path, input, res))
      const verdict = verdictOn(req, {})
      if (verdict !== 'send') return sendVerdict(res, verdict)
      res.writeHead(200, {
        'Content-Type': 'application/zip',
        'Content-Length': (await stat(archive.path)).size,
        'Content-Disposition': `attachment; filename="${title}-${new Date().toISOString().slice(0, 10)}.zip"`,
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      // What is in the socket's buffer has not been read yet.
      const sent = () => (res.socket?.bytesWritten ?? 0) - (res.socket?.writableLength ?? 0)
      const end = requireProgress(sent, () => res.destroy())
      await pipeline(createReadStream(archive.path), res).finally(end)
    })

  const download = async (req: Request, res: Response) => {
    const actor = await authenticate(req)
    const { subdomain } = req.params
    await send(req, res, actor, 'transfer.export', { subdomain }, String(subdomain))
  }

  const downloadFiles = async (req: Request, res: Response) => {
    const actor = await authenticate(req)
    const { subdomain } = req.params
    const { json } = await options.readJson(req, res, { limit: limits.body, caller: callerOf(actor) })
    await send(
      req,
      res,
      actor,
      'transfer.exportFiles',
      { ...(json as object), subdomain },
      `${String(subdomain)}-files`,
    )
  }

  const upload = async (req: Request, res: Response) => {
    const actor = await authenticate(req)
    const { subdomain } = req.params
    const query = new URL(req.url, origin).searchParams
    const plan = query.get('plan')
    const delete_missing = query.get('delete_missing') === '1'
    const input = { subdomain, delete_missing, ...(plan === null ? {} : { plan }) }
    await slots.use(actor.accountId, async archive => {
      await receive(req, archive.path, {
        disk,
        max: maxArchiveSize(options.contextFor(actor).core.creationLimits),
      })
      const text = JSON.stringify(
        await archive.work(() => call('transfer.import', actor, archive.path, input, res)),
      )
      const type = 'application/json; charset=utf-8'
      sendPrivate(res, { status: 200, rate: undefined, body: { type, text } }, true)
    })
  }

  /** Tells a program which space its key is for, as after a person has chosen one in the browser. */
  const introduce = async (req: Request, res: Response) => {
    const actor = await authenticateProgram(req)
    if (actor.kind !== 'space_key') throw new Problem('unauthorized')
    await countCall(options.contextFor(actor), actor.keyId)
    const { subdomain, name } = actor.space
    const body = { type: 'application/json; charset=utf-8', text: JSON.stringify({ subdomain, name }) }
    sendPrivate(res, { status: 200, rate: undefined, body }, true)
  }

  const list = async (req: Request, res: Response) => {
    const actor = await authenticateProgram(req)
    const { subdomain } = req.params
    const known = /^(?:W\/)?"([\w-]+)"$/.exec(req.headers['if-none-match'] ?? '')?.[1]
    const wait = waitOf(req)
    const input = { subdomain, wait, ...(known === undefined ? {} : { known }) }
    const answer = await call('transfer.list', actor, undefined, input, res)
    const { tag, listing } = answer as z.output<typeof TaggedListing>
    const headers = { ETag: `"${tag}"`, ...(wait > 0 ? { 'Preference-Applied': `wait=${wait}` } : {}) }
    const type = 'application/json; charset=utf-8'
    const body = listing && { type, text: JSON.stringify(listing) }
    sendPrivate(res, { status: listing ? 200 : 304, rate: undefined, headers, body }, true)
  }

  const downloadItems = async (req: Request, res: Response) => {
    const actor = await authenticateProgram(req)
    const { subdomain } = req.params
    const { json } = await options.readJson(req, res, { limit: limits.body, caller: callerOf(actor) })
    await send(req, res, actor, 'transfer.exportItems', { ...(json as object), subdomain }, String(subdomain))
  }

  const change = async (req: Request, res: Response) => {
    const actor = await authenticateProgram(req)
    await slots.use(actor.accountId, async archive => {
      let endTurn = () => {}
      const receiveAll = async () => {
        await receive(req, archive.path, {
          disk,
          max: maxArchiveSize(options.contextFor(actor).core.creationLimits),
        })
        endTurn = await archive.turn()
        return { subdomain: req.params.subdomain }
      }
      // The procedure asks for its input once it has checked the caller, so nobody else can send an archive.
      const result = await call('transfer.change', actor, archive.path, receiveAll, res).finally(() =>
        endTurn(),
      )
      const type = 'application/json; charset=utf-8'
      sendPrivate(res, { status: 200, rate: undefined, body: { type, text: JSON.stringify(result) } }, true)
    })
  }

  /** Sends what a procedure returns for the arguments of the request. */
  const answer =
    (name: ProcedureName) =>
    async (req: Request, res: Response): Promise<void> => {
      const actor = await authenticateProgram(req)
      const { subdomain } = req.params
      const input = async () => {
        if (PROCEDURES[name] === 'query')
          return { ...Object.fromEntries(new URL(req.url, origin).searchParams), subdomain }
        const { json } = await options.readJson(req, res, { limit: limits.body, caller: callerOf(actor) })
        return { ...(json as object), subdomain }
      }
      const text = JSON.stringify(await call(name, actor, undefined, input, res))
      const type = 'application/json; charset=utf-8'
      sendPrivate(res, { status: 200, rate: undefined, body: { type, text } }, true)
    }

  const handled =
    (handle: (req: Request, res: Response) => Promise<void>): RequestHandler =>
    (req, res) =>
      void handle(req, res)
        .catch((error: unknown) => {
          if (res.headersSent || res.destroyed || (req.destroyed && !req.complete)) res.destroy()
          else sendError(req, res, error, undefined, options)
        })
        .finally(() => drain(req))

  const routes = Router({ caseSensitive: true, strict: true })
  routes.get('/transfer', handled(introduce))
  routes.get('/transfer/:subdomain', handled(download))
  routes.post('/transfer/:subdomain/files', handled(downloadFiles))
  routes.post('/transfer/:subdomain', handled(upload))
  routes.get('/transfer/:subdomain/items', handled(list))
  routes.post('/transfer/:subdomain/items', handled(downloadItems))
  routes.patch('/transfer/:subdomain/items', handled(change))
  routes.get('/transfer/:subdomain/changes', handled(answer('history.list')))
  routes.post('/transfer/:subdomain/undo', handled(answer('history.undo')))
  routes.post('/transfer/:subdomain/restore', handled(answer('history.restore')))
  return routes
}

/** Returns how long the caller wants to wait for a change (RFC 7240, 4.3), in seconds. */
const waitOf = ({ headers }: Request): number => {
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})/i.exec(String(headers.prefer ?? ''))?.[1] ?? 0
  return Math.min(Number(seconds), limits.listingWait)
}

/** Returns a signal that aborts when the client closes the connection before it has the response. */
const whileOpen = (res: Response): AbortSignal => {
  const controller = new AbortController()
  if (res.destroyed) controller.abort()
  res.once('close', () => controller.abort())
  return controller.signal
}

/**
 * Writes the body to a file.
 *
 * @throws `payload_too_large`; `validation_failed` if the body arrives too slowly; `unavailable` while the disk is
 * almost full
 */
const receive = async (
  req: Request,
  file: string,
  { disk, max }: { disk: DiskSpace; max: number },
): Promise<void> => {
  const expected = Number(req.headers['content-length'] ?? 0)
  if (expected > max) throw tooLarge(max)
  const folder = path.dirname(file)
  await disk.require(folder, expected)
  await using output = await open(file, 'wx', 0o600)
  let size = 0
  const store = async () => {
    // Do not use `pipeline`. If the body is refused before it has arrived completely, `pipeline` destroys the request,
    // and the response with it.
    const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
    for await (const chunk of disk.requireFor(folder, chunks)) {
      size += chunk.length
      if (size > max) throw tooLarge(max)
      await output.writeFile(chunk)
    }
  }
  const stalled = Promise.withResolvers<never>()
  const end = requireProgress(
    () => size,
    () => stalled.reject(invalid('$', STALLED)),
  )
  await Promise.race([store(), stalled.promise]).finally(end)
}
