/** The service with a lawful site and hostile pages, for `test/bench/hostile.ts`. */
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { prepareDemo } from '../../../server/demo/demo.ts'
import { readSettings } from '../../../server/settings.ts'
import { startService } from '../../../server/start.ts'
import { HOSTILE } from '../../liquid/hostile-templates.ts'

/** What the parent is told once everything is up. */
export interface HostileReady {
  subdomain: string
  key: string
  pageId: string
  /** Pages that mean harm, by the host that evaluates them. */
  pages: { name: string; host: string }[]
}

/** One attack of each twelfth, so that all kinds are there. */
const chosen = HOSTILE.filter(({ trial }) => !trial)
  .filter((_, index) => index % 12 === 0)
  .slice(0, 6)

const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'space-site-hostile-'))
const port = process.argv[2]
const settings = readSettings({
  PORT: port,
  DATA_DIR: dataFolder,
  CALLS_PER_MINUTE: '1000000',
  RENDER_PROCESSES: '2',
})
const service = await startService(settings, pino({ level: 'silent' }))
const demo = (await prepareDemo(service.core))!
const base = `http://127.0.0.1:${port}/v1/spaces/${demo.subdomain}/pages`
const headers = { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' }
const listed = (await (await fetch(base, { headers })).json()) as { data: { id: string }[] }
const pages: HostileReady['pages'] = []
for (const [index, { attempt, html }] of chosen.entries()) {
  const body = JSON.stringify({ slug: `hostile-${index}`, html })
  const answer = await fetch(base, { method: 'POST', headers, body })
  const { id } = (await answer.json()) as { id: string }
  pages.push({ name: attempt, host: `${id}.pages.localhost` })
}
const ready: HostileReady = {
  subdomain: demo.subdomain,
  key: demo.key ?? '',
  pageId: listed.data[0]!.id,
  pages,
}
process.send?.(ready)
process.once('SIGTERM', () => {
  void service
    .stop()
    .then(() => rm(dataFolder, { recursive: true, force: true }))
    .then(() => process.exit(0))
})
