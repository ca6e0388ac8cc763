import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { addresses } from '../../../routers/api/addresses.ts'
import type { Delivery } from '../../../routers/api/context.ts'
import type { Renderer, TemplateError } from '../../../routers/api/renderer.ts'
import { ContentCache } from '../../../routers/delivery/open-file.ts'
import { startRenderer } from '../../../routers/rendering/renderer.ts'
import { drain } from '../../http/drain.ts'
import { routeByHost } from '../../http/hosts.ts'
import { answering } from '../../site/answer.ts'
import { fileHandler } from '../../site/handlers/file.ts'
import { pageHandler } from '../../site/handlers/page.ts'
import { siteHandler } from '../../site/handlers/site.ts'
import { isFramed, pathOf } from '../../site/respond.ts'
import { errorFinding } from '../local/check-site.ts'
import { type Finding, findingText } from '../local/finding.ts'
import type { LocalSite } from '../local/read-site.ts'
import type { SpaceAddress } from '../service/address.ts'
import { FolderSites, MAIN_HOST } from './folder-sites.ts'
import { listen } from './listen.ts'
import { LiveFolder } from './live-folder.ts'
import { addScript, changeHeaders } from './live-script.ts'

/** The domain of the addresses at which documents wait for changes. */
const EVENTS = 'events.localhost'

/** Time after which a list of pages evaluates no further page for its title, in ms. Nobody else waits. */
const LIST_PATIENCE = 5_000

/** The names of this computer that lead to the site. */
const OTHER_NAMES = new Set(['127.0.0.1', '[::1]'])

interface Options {
  /** The port to use; null for a usual one, or any other if that is taken. */
  port: number | null
  /** Called with findings that were not there before. */
  report: (findings: readonly Finding[]) => void
  /** Called with errors that are not those of the site. */
  onError: (error: unknown) => void
}

/**
 * Serves the site in a folder to browsers of this computer, with the handlers and the renderer of the service.
 *
 * @returns its address
 * @throws {Failure} if the folder is no site, or the port is taken
 */
export const serveFolder = async (
  root: string,
  at: SpaceAddress | null,
  { port, report, onError }: Options,
): Promise<{ address: string; close: () => Promise<void> }> => {
  let handle: RequestListener = (_req, res) => void res.writeHead(503).end()
  const servers = await listen((req, res) => handle(req, res), port)
  const chosen = servers.port
  const domain = (name: string) => `${name}.localhost:${chosen}`
  const all = addresses({
    apiRoot: `http://localhost:${chosen}`,
    scheme: 'http',
    siteDomain: domain('sites'),
    pagesDomain: domain('pages'),
    filesDomain: domain('files'),
    postsDomain: domain('posts'),
    docsUrl: `http://localhost:${chosen}`,
  })
  const started = startRenderer({ processes: 1 })
  const waiting = new Set<ServerResponse>()
  let site!: LocalSite
  let count = 0
  /** Distinguishes the states of the folder, also from those that an earlier run has shown. */
  const revision = () => `${startedAt}-${count}`
  const startedAt = Date.now()
  let reported = new Set<string>()
  let errors = new Map<string, Finding>()

  const tell = (findings: readonly Finding[]) => {
    const fresh = findings.filter(finding => !reported.has(findingText(finding)))
    for (const finding of fresh) reported.add(findingText(finding))
    if (fresh.length > 0) report(fresh)
  }
  const sites = new FolderSites(root, all, () => folder.refresh())
  const folder = new LiveFolder(
    root,
    at,
    changed => {
      site = changed
      count += 1
      errors = new Map()
      const problems = site.findings.filter(({ kind }) => kind === 'problem')
      // What is corrected and then wrong again is told again.
      reported = new Set(problems.map(findingText).filter(text => reported.has(text)))
      sites.show(site, revision())
      for (const res of waiting) res.write(eventOf(revision()))
      tell(problems)
    },
    onError,
  )
  try {
    await folder.start()
  } catch (error) {
    await Promise.all([servers.close(), started.stop()])
    throw error
  }
  const core: Delivery = {
    sites,
    fileStore: null,
    addresses: { ...all, pageEditor: () => null },
    renderer: noting(started, (slug, error) => {
      const found = errorFinding(error, site, slug)
      errors.set(slug, found)
      tell([found])
    }),
    listPatience: LIST_PATIENCE,
    visits: null,
  }
  const answer = answering(
    {
      site: siteHandler(core, () => ''),
      page: pageHandler(core),
      file: fileHandler(core, new ContentCache(), null),
    },
    { onFault: onError, referenceOf: () => 'see the terminal', secondsUntilRetry: () => undefined },
  )
  const route = routeByHost(all, { subdomainOf: () => undefined })
  const events = `http://*.${domain('events')}`
  const problemsOf = (slug: string) =>
    [...site.findings, errors.get(slug)].filter(finding => finding?.kind === 'problem') as Finding[]

  const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const hostname = hostnameOf(req)
    if (OTHER_NAMES.has(hostname))
      return void res.writeHead(302, { Location: `${all.host(MAIN_HOST)}${req.url}` }).end()
    if (hostname.endsWith(`.${EVENTS}`)) return waitForChanges(req, res)
    const found = route(hostname)
    const target =
      hostname === MAIN_HOST ? ({ kind: 'site', name: site.subdomain, domain: MAIN_HOST } as const) : found
    const { kind } = target
    if (kind !== 'site' && kind !== 'page' && kind !== 'file') return refuse(req, res)
    if (kind === 'file') changeHeaders(res, given => ({ ...given, 'Cache-Control': 'no-cache' }))
    else {
      await folder.refreshIfOld()
      // The script that is added to a document must be readable.
      delete req.headers['accept-encoding']
      const slug = pathOf(req).slice(1) || 'index'
      if (kind === 'page' || !isFramed(req))
        addScript(res, () => ({
          revision: revision(),
          events,
          problems: problemsOf(slug).map(findingText).join('\n\n'),
        }))
    }
    await answer({ ...target, kind }, req, res)
  }
  const waitForChanges = (req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
    })
    // The document may be older than the state that is shown now.
    res.write(`retry: 500\n${eventOf(revision())}`)
    waiting.add(res)
    req.on('close', () => waiting.delete(res))
  }
  handle = (req, res) =>
    void serve(req, res).catch((error: unknown) => {
      onError(error)
      res.destroy()
    })
  return {
    address: `${all.host(MAIN_HOST)}/`,
    close: async () => {
      folder.close()
      await Promise.all([servers.close(), started.stop()])
    },
  }
}

const eventOf = (revision: string) => `data: ${revision}\n\n`

const hostnameOf = ({ headers }: IncomingMessage): string =>
  (headers.host ?? '').toLowerCase().replace(/:\d+$/, '')

/** Refuses a request for another name, which a website could let lead to this computer to read the site. */
const refuse = (req: IncomingMessage, res: ServerResponse): void => {
  res.writeHead(421, { 'Content-Type': 'text/plain; charset=utf-8' })
  res.end('space dev serves localhost only.\n')
  drain(req)
}

/** Calls a function with each template error that a renderer returns. */
const noting = (renderer: Renderer, onError: (slug: string, error: TemplateError) => void): Renderer => {
  const noted = async <Outcome extends { ok: boolean }>(slug: string, result: Promise<Outcome>) => {
    const outcome = await result
    if ('error' in outcome) onError(slug, outcome.error as TemplateError)
    return outcome
  }
  return {
    get load() {
      return renderer.load
    },
    render: request => noted(request.page.slug, renderer.render(request)),
    head: request => noted(request.page.slug, renderer.head(request)),
    renderMarked: request => renderer.renderMarked(request),
    analyze: (html, account) => renderer.analyze(html, account),
    renamePart: (html, rename, account) => renderer.renamePart(html, rename, account),
    stop: () => renderer.stop(),
  }
}
