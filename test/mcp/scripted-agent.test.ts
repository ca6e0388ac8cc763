import { beforeAll, expect, test } from 'vitest'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { request } from '../space-api/support/http.ts'
import { useTestService } from '../support/test-service.ts'
import { connectAgent, Items, type Named, type ScriptedAgent } from './support/scripted-agent.ts'
import { type ToolResult, toolClient } from './support/tool-client.ts'

const service = useTestService({ callsPerMinute: 1000 })
// The advice comes from a review of what a write has saved. Let writes wait longer than usual for this review, because
// reviews take longer on a busy machine.
beforeAll(() => {
  service.core.reviewPatience = 60_000
})

/** Connects an agent to a new space. */
const connect = async () => {
  const space = await service.createSpace()
  const client = toolClient(service, '/mcp/studio', await space.key(...SPACE_SCOPES), '2026-07-28')
  return { space, agent: await connectAgent(client) }
}

/** Returns the advice in a result; undefined if everything works. */
const adviceIn = ({ isError, content }: ToolResult) => {
  expect({ isError, content }).toMatchObject({ isError: undefined })
  return content[1]?.text
}

const render = (agent: ScriptedAgent, id: unknown) =>
  agent.use(/as visitors get it, as text/, [/^The id of the page/, id])

test('an agent builds a site of five pages in at most 12 calls, and gets no advice', async () => {
  const { space, agent } = await connect()
  await agent.use(new RegExp(`^${agent.learn(/Call (\w+) first/)}:`))

  // Copy every idiom from the instructions, then replace the names in it.
  const layout = agent.learn(
    /(\{% layout 'frame' %\}\{% block content %\}\.\.\.\{% endblock %\}) puts the body/,
  )
  const file = agent.learn(/(\{% assign f = files .*\{\{ f\.url \}\}) finds a file/)
  const links = agent.learn(/(\{% for p in pages %\}.*\{% endfor %\}); files/)
  const record = agent.learn(/(data\.events) is the value of the record events/)
  const home = agent.learn(/The slug (\w+) is the home page/)
  const kind = agent.learn(/Choose kind (\w+) unless/)
  const upload = await agent.use(
    /Stores an image/,
    [/^The file name/, 'oven.svg'],
    [/^The bytes/, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    [/`text` for text/, 'text'],
  )
  expect(adviceIn(upload)).toBeUndefined()

  const page = (slug: string, content: string): Named[] => [
    [/last part of the address/, slug],
    [/`static` is shown directly/, kind],
    [/Liquid template/, layout.replace('...', content)],
  ]
  const breads = record.replace('events', 'breads')
  const written = await agent.use(
    /Use it to build a site in few calls/,
    [
      /^Records to create/,
      new Items([
        [/^The key of the record/, 'breads'],
        [
          /^Any JSON/,
          [
            { name: 'Rye', price: 4 },
            { name: 'Spelt', price: 5 },
          ],
        ],
      ]),
    ],
    [
      /^Parts to create/,
      new Items([
        [/by which templates include the part/, 'frame'],
        [
          /Liquid template/,
          `<html lang="en"><head><title>Bakery</title><style>body { margin: 2rem }</style></head><body><nav>${links}</nav>{% block content %}{% endblock %}</body></html>`,
        ],
      ]),
    ],
    [
      /^Pages to create/,
      new Items(
        page(home, '<h1>{{ space.name }}</h1>'),
        page(
          'bread',
          `<ul>{% for bread in ${breads} %}<li>{{ bread.name }}: {{ bread.price }} €</li>{% endfor %}</ul>`,
        ),
        page('about', `<img src="${file.replace('a.jpg', 'oven.svg')}" alt="Our oven">`),
        page('visit', '<p id="hours">Every day from 7</p><a href="#hours">Hours</a>'),
        page('contact', '<a href="mailto:bakery@example.com">Write to us</a>'),
      ),
    ],
  )
  expect(adviceIn(written)).toBeUndefined()
  const { pages } = written.structuredContent as { pages: { id: string }[] }
  expect(pages).toHaveLength(5)
  for (const { id } of pages)
    expect((await render(agent, id)).structuredContent).toMatchObject({ works: true })
  expect(agent.calls()).toBeLessThanOrEqual(12)

  const visit = (path: string) =>
    request(service.root, 'GET', path, { headers: { host: `${space.subdomain}.sites.localhost` } })
  const bread = await visit('/bread')
  expect(bread.text).toContain('<li>Rye: 4 €</li>')
  expect(bread.text).toContain('>contact</a>')
  const [, image = ''] = /<img src="([^"]+)"/.exec((await visit('/about')).text) ?? []
  const { host, pathname } = new URL(image)
  expect((await request(service.root, 'GET', pathname, { headers: { host } })).status).toBe(200)
})

/**
 * Derives an edit from the wording of the advice alone: replaces a quoted name with the suggested one, or adds the
 * missing tag to the quoted source.
 */
const repairOf = (advice: string): readonly Named[] => {
  const [, source = '', missing] =
    /Source: `([^`]+)`\. Add (\{% \w+ %\}) where it should end/.exec(advice) ?? []
  const [, wrong, right] = /“([^”]+)”[^“]*Did you mean “([^”]+)”/.exec(advice) ?? []
  const [old, replacement] = missing === undefined ? [wrong, right] : [source, source + missing]
  return [
    [/^The text to replace/, old],
    [/^The text to put in its place/, replacement],
  ]
}

test.each([
  ['{% for bread in data.breads %}{{ bread.name }},', 'Rye,Spelt,'],
  ['{{ data.braeds | size }}', '2'],
  ['{{ "rye" | upcse }}', 'RYE'],
  ['{% render "oppening" %}', 'From 7'],
  ['{% layout "frame" %}{% block contents %}x{% endblock %}', 'x'],
  ['<a href="/visitt">Visit</a>', 'Visit'],
])('an agent repairs the template %s using only the advice in the result', async (html, text) => {
  const { space, agent } = await connect()
  await space.api.put('/data/breads', { value: [{ name: 'Rye' }, { name: 'Spelt' }] })
  await space.api.post('/parts', { name: 'frame', html: '{% block content %}{% endblock %}' })
  await space.api.post('/parts', { name: 'opening', html: 'From 7' })
  await space.api.post('/pages', { slug: 'visit', kind: 'static', html: 'Visit us' })
  const created = await agent.use(
    /Creates a page, which is public immediately/,
    [/last part of the address/, 'broken'],
    [/`static` is shown directly/, 'static'],
    [/Liquid template/, html],
  )
  const advice = adviceIn(created)
  expect(advice).toBeDefined()
  const { id } = created.structuredContent!
  const repaired = await agent.use(
    /Replaces texts in the html of a page/,
    [/^The id of the page/, id],
    [/^Replacements/, new Items(repairOf(advice!))],
  )
  expect({ advice, after: adviceIn(repaired) }).toEqual({ advice, after: undefined })
  const { structuredContent } = await render(agent, id)
  expect(structuredContent).toMatchObject({ works: true })
  expect(structuredContent?.content).toContain(text)
})
