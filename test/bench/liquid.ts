import { Liquid } from 'liquidjs'
import type { RenderRequest, SiteSnapshot } from '../../routers/api/renderer.ts'
import { startRenderer } from '../../routers/rendering/renderer.ts'
import { childrenOf, residentMiB } from '../liquid/process-info.ts'

// `node test/bench/liquid.ts`: measures how many times per second a typical page can be rendered, by one renderer
// process and by liquidjs in this process. The page has a layout, three parts and 50 rows of data. Also measures
// latency with warm caches and after a change to the space, and memory with 1,000 spaces.

const SECONDS = 3
const ROUNDS = 3
/** Concurrent requests. */
const CONCURRENCY = 4

const rows = Array.from({ length: 50 }, (_, at) => ({
  title: `Event no. ${at} & friends`,
  text: 'An evening with music, food and drink for everyone who likes to come along. '.repeat(2),
  day: `2026-0${(at % 9) + 1}-1${at % 10}`,
  price: at * 3,
  tags: ['music', 'food', 'drink'].slice(0, at % 4),
  open: at % 3 !== 0,
}))

const parts = [
  {
    name: 'frame',
    html: '<!doctype html><html lang="en"><head><title>{{ page.slug }} – {{ space.name }}</title><meta name="description" content="What is on"><style>body { font: 1rem sans-serif }</style></head><body>{% render "header", name: space.name %}<main>{% block content %}{% endblock %}</main>{% render "footer", url: space.url %}</body></html>',
  },
  {
    name: 'header',
    html: '<header><h1>{{ name }}</h1><nav><a href="/">Home</a> <a href="/articles">Articles</a></nav></header>',
  },
  {
    name: 'footer',
    html: '<footer><a href="{{ url }}">{{ url }}</a> and a few words about who we are</footer>',
  },
  {
    name: 'card',
    html: '<article class="{% if event.open %}open{% else %}sold-out{% endif %}"><h2>{{ event.title }}</h2><p>{{ event.text | truncate: 80 }}</p><p>{{ event.day }}, {{ event.price | times: 2 | plus: 1 }} €</p>{% for tag in event.tags %}<span>{{ tag | upcase }}</span>{% unless forloop.last %}, {% endunless %}{% endfor %}</article>',
  },
]

const html =
  '{% layout "frame" %}{% block content %}<p>{{ data.events.size }} events</p>{% for event in data.events %}{% render "card", event: event %}{% endfor %}{% endblock %}'

const space = { name: 'Salt & Pepper', subdomain: 'salt', url: 'https://salt.example' }
const snapshot: SiteSnapshot = { space, pages: [], files: [], data: { events: JSON.stringify(rows) }, parts }
const snapshotText = JSON.stringify(snapshot)

function request(of: Partial<RenderRequest> = {}): RenderRequest {
  return {
    space: 'salt',
    account: 'salt',
    revision: '1',
    snapshot: () => Promise.resolve(snapshotText),
    body: () => Promise.resolve(html),
    page: { id: of.space ?? 'salt', slug: 'events', url: 'https://salt.example/events', kind: 'scripted' },
    ...of,
  }
}

/**
 * Returns a function that renders the page with plain liquidjs. liquidjs gets the same language options as in the
 * service, and uses its own cache.
 */
function inProcess(): () => string {
  const bodies = new Map(parts.map(part => [part.name, part.html]))
  const read = (name: string) => bodies.get(name) ?? ''
  const fs = {
    sep: '/',
    dirname: () => '',
    resolve: (_folder: string, name: string) => name,
    exists: (name: string) => Promise.resolve(bodies.has(name)),
    existsSync: (name: string) => bodies.has(name),
    readFile: (name: string) => Promise.resolve(read(name)),
    readFileSync: read,
    contains: () => Promise.resolve(true),
    containsSync: () => true,
  }
  const liquid = new Liquid({
    fs,
    root: ['/'],
    relativeReference: false,
    outputEscape: 'escape',
    cache: true,
  })
  const template = liquid.parse(html)
  const page = { slug: 'events', url: 'https://salt.example/events' }
  return () => liquid.renderSync(template, { space, page, pages: [], files: [], data: { events: rows } })
}

async function perSecond(task: (lane: number) => unknown): Promise<number> {
  const until = performance.now() + SECONDS * 1000
  const started = performance.now()
  let done = 0
  const lane = async (_: unknown, number: number) => {
    while (performance.now() < until) {
      await task(number)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  return (done / (performance.now() - started)) * 1000
}

function percentile(times: number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  return `${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(2)} ms`
}

async function timesOf(
  count: number,
  requestAt: (at: number) => RenderRequest,
  by = renderer,
): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    const started = performance.now()
    await by.render(requestAt(at))
    times.push(performance.now() - started)
  }
  return times
}

// The cache is too small for any document, so that each request is evaluated.
const renderer = startRenderer({ processes: 1, cachedBytes: 1 })
const plain = inProcess()
const result = await renderer.render(request())
if (!result.ok || result.html.toString().replaceAll('&#34;', '"') !== plain().replaceAll('&#34;', '"')) {
  throw new Error('the two pages differ')
}
console.log(`page of ${result.html.length} characters`)

/** Each concurrent loop opens its own page, because concurrent requests for one page share an evaluation. */
const open = (lane: number) => {
  const { page, ...rest } = request()
  return renderer.render({ ...rest, page: { ...page, id: `lane ${lane}` } })
}

await perSecond(open)
for (let round = 1; round <= ROUNDS; round += 1) {
  const own = await perSecond(plain)
  const pooled = await perSecond(open)
  const share = ((pooled / own) * 100).toFixed(0)
  console.log(
    `in-process liquidjs ${own.toFixed(0)}/s, one renderer process ${pooled.toFixed(0)}/s: ${share} %`,
  )
}

const warm = await timesOf(300, () => request())
console.log(`warm page: median ${percentile(warm, 0.5)}, p99 ${percentile(warm, 0.99)}`)
const changed = await timesOf(100, at => request({ revision: `changed ${at}` }))
console.log(`page of a changed space: median ${percentile(changed, 0.5)}, p99 ${percentile(changed, 0.99)}`)
await renderer.stop()

// Opens pages of a thousand spaces and reports the memory of each worker.
const pair = startRenderer({ processes: 2, cachedBytes: 1 })
const many = await timesOf(2000, at => request({ space: `space ${(at * 7919) % 1000}` }), pair)
const sizes = childrenOf(process.pid).map(pid => residentMiB(pid).toFixed(0))
console.log(
  `1,000 spaces in turn: median ${percentile(many, 0.5)}; memory of the workers ${sizes.join(', ')} MiB`,
)
await pair.stop()
