/**
 * `node --single-threaded-gc --max-semi-space-size=16 test/bench/rows.ts`: measures the CPU time of evaluating and
 * sanitizing a static page with at least 1.5 MB of table rows of several kinds. The flags are those of a renderer
 * process. Rows with an HTML mistake force the slower path that builds a tree.
 */
import { Budget } from '../../routers/rendering/engine/budget.ts'
import { SafeContext } from '../../routers/rendering/engine/context.ts'
import { Engine } from '../../routers/rendering/engine/engine.ts'
import { renderTemplates } from '../../routers/rendering/engine/render.ts'
import { sanitize } from '../../routers/rendering/sanitize/sanitize.ts'

const LENGTH = 1_500_000
const RUNS = 15

const ITEM = `<td><a href="/item/{{ item.id }}?a=b&amp;c=d">{{ item.name }}</a></td>
<td class="n">{{ item.price | times: 2 | plus: 1 }}</td><td>{{ item.text | truncate: 60 }} <b>{{ item.kind | upcase }}</b></td>
<td>{% for tag in item.tags %}<em>{{ tag | capitalize }}</em>{% unless forloop.last %}, {% endunless %}{% endfor %}</td>`

const template = (item: string, before = '') =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Rows</title></head><body><table>${before}
{% for item in data.items %}<tr class="{% if item.price > 9 %}dear{% else %}cheap{% endif %}" id="r{{ item.id }}">${item}</tr>
{% endfor %}</table></body></html>`

const ICON = `<svg class="icon" viewBox="0 0 24 24" width="16" height="16" fill="none" stroke="currentColor"><title>Open</title>
<path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z"/><path d="M12 8v4l3 2" stroke-linecap="round"/></svg>`

const LABELS = ITEM.replaceAll('<b>', '<label><input type="checkbox"> ').replaceAll('</b>', '</label>')

const ROW = 260
const items = Array.from({ length: Math.ceil(LENGTH / ROW) }, (_, id) => ({
  id,
  name: `Item ${id} & more`,
  price: id * 3,
  kind: 'music',
  text: 'An evening with music, food and drink for everyone who likes to come along.',
  tags: ['music', 'food', 'drink'].slice(0, id % 4),
}))

const engine = new Engine(() => [])

function evaluate(source: string): () => string {
  const { templates } = engine.parse(source, 'page')
  return () =>
    renderTemplates(templates, new SafeContext({ data: { items } }, engine.forContext, new Budget()))
}

/** Median processor time of several runs, in ms. */
function measure(task: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const before = process.threadCpuUsage()
    task()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }).sort((a, b) => a - b)
  return times[Math.floor(RUNS / 2)] ?? 0
}

for (const [name, source] of [
  ['well-formed rows', template(ITEM)],
  ['rows without optional end tags', template(ITEM).replaceAll(/<\/(?:td|tr|body|html)>/g, '')],
  [
    'rows with rare entities and CRLF',
    template(`${ITEM}<td>&frac12; &Uuml; AT&T</td>`).replaceAll('\n', '\r\n'),
  ],
  ['rows with labels', template(LABELS)],
  ['rows with SVG', template(ITEM.replace('<a ', `${ICON}<a `))],
  ['rows after a script', template(ITEM, '<script>var a</script>')],
  ['rows after a mistake', template(ITEM, '<p>')],
] as const) {
  const page = evaluate(source)
  const html = page()
  const evaluating = measure(page)
  const sanitizing = measure(() => sanitize(html))
  console.log(
    `${name}, ${html.length} characters: evaluating ${evaluating.toFixed(0)} ms, sanitizing ${sanitizing.toFixed(0)} ms, ${(sanitizing / evaluating).toFixed(2)} ×`,
  )
}
