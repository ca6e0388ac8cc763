import { beforeAll, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/core/scopes.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'
import { type ToolClient, type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService({ callsPerMinute: 1000 })
let client: ToolClient
let subdomain: string

beforeAll(async () => {
  // Wait long for advice: on a busy machine, an evaluation can take longer than writes usually wait.
  service.core.reviewPatience = 60_000
  const space = await service.createSpace()
  subdomain = space.subdomain
  client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2026-07-28')
})

/** Returns the advice in a result; undefined if everything works. */
const adviceIn = ({ isError, content }: ToolResult) => {
  expect({ isError, content }).toMatchObject({ isError: undefined })
  return content[1]?.text
}

const page = (slug: string, title: string, content: string) => ({
  slug,
  kind: 'static',
  html: `{% layout "frame", title: "${title}" %}{% block content %}${content}{% endblock %}`,
})

test('an agent builds a site of five pages in at most 12 calls, and gets no advice', async () => {
  let calls = 0
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    calls += 1
    const result = await client.call(name, args)
    expect(adviceIn(result)).toBeUndefined()
    return result.structuredContent!
  }
  await call('get_space')
  await call('list_pages')
  await call('upload_file', {
    name: 'oven.svg',
    content: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    encoding: 'text',
  })
  const { pages } = await call('write_many', {
    records: [
      {
        key: 'breads',
        value: [
          { name: 'Rye', price: 4 },
          { name: 'Spelt', price: 5 },
        ],
      },
    ],
    parts: [
      {
        name: 'frame',
        html: '<html lang="en"><head><title>{{ title }}</title><style>body { margin: 2rem }</style></head><body><nav><a href="/">Home</a> <a href="/bread">Bread</a> <a href="/about">About</a> <a href="/visit">Visit</a> <a href="/contact">Contact</a></nav>{% block content %}{% endblock %}</body></html>',
      },
    ],
    pages: [
      page('index', 'Bakery', '<h1>{{ space.name }}</h1>'),
      page(
        'bread',
        'Bread',
        '<ul>{% for bread in data.breads %}<li>{{ bread.name }}: {{ bread.price }} €</li>{% endfor %}</ul>',
      ),
      page(
        'about',
        'About',
        '{% assign oven = files | where: "name", "oven.svg" | first %}<img src="{{ oven.url }}" alt="Our oven">',
      ),
      page('visit', 'Visit', '<p id="hours">Every day from 7</p><a href="#hours">Hours</a>'),
      page('contact', 'Contact', '<a href="mailto:bakery@example.com">Write to us</a>'),
    ],
  })
  for (const { id } of pages as { id: string }[])
    expect(await call('render_page', { page_id: id })).toMatchObject({ works: true })
  expect(calls).toBeLessThanOrEqual(12)
  const { text } = await request(service.root, 'GET', '/bread', {
    headers: { host: `${subdomain}.sites.localhost` },
  })
  expect(text).toContain('<li>Rye: 4 €</li>')
})

/** Derives an edit from the wording of a piece of advice. */
const repairOf = (advice: string, html: string) => {
  const [, missing] = /Add (\{% end\w+ %\})/.exec(advice) ?? []
  if (missing !== undefined) return { old: html, new: html + missing }
  const [, wrong = '', right = ''] = /“([^”]+)”[^“]*Did you mean “([^”]+)”/.exec(advice) ?? []
  return { old: wrong.replace(/^\//, ''), new: right }
}

test('an agent repairs six broken templates with only the advice in the results', async () => {
  const broken = [
    '{% for bread in data.breads %}{{ bread.name }}',
    '{{ data.braeds | size }}',
    '{{ "rye" | upcse }}',
    '{% render "fram" %}',
    '{% layout "frame" %}{% block contents %}x{% endblock %}',
    '<a href="/visitt">Visit</a>',
  ]
  for (const [index, html] of broken.entries()) {
    const created = await client.call('create_page', { slug: `broken-${index}`, kind: 'static', html })
    const advice = adviceIn(created)
    expect(advice).toBeDefined()
    const page_id = created.structuredContent!.id
    const repaired = await client.call('edit_page', { page_id, edits: [repairOf(advice!, html)] })
    expect({ html, advice: adviceIn(repaired) }).toEqual({ html, advice: undefined })
  }
})
