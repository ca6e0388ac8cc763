import type { SiteSnapshot } from '../../api/renderer.ts'
import type { Evaluator } from './evaluator.ts'
import { Site } from './site.ts'

const ROW = `<tr class="{% if row.on %}on{% else %}off{% endif %}"><td>{{ row.title | escape }}</td>
<td>{{ row.text | truncate: 20 }}</td><td>{{ row.number | times: 2 | plus: 1 }}</td>
{% for tag in row.tags %}{{ tag | upcase }}{% unless forloop.last %}, {% endunless %}{% endfor %}
{{ row.date | date: "%a %A, %d %b %B %Y" }}{% assign words = row.text | split: " " %}{% case row.number %}{% when 1 %}one{% else %}{{ words | join: "-" }}{% endcase %}
{% render "cell", value: row.title %}{% include "cell" %}{% capture kept %}{{ row.title }}{% endcapture %}{{ kept }}</tr>
`

const SNAPSHOT: SiteSnapshot = {
  space: { name: 'Warm-up', subdomain: 'warm-up', url: 'https://warm-up.example' },
  pages: [],
  files: [],
  data: {
    rows: JSON.stringify([
      { title: 'a < b', date: '2020-02-03', text: 'one two three', number: 3, tags: ['x', 'y'], on: true },
    ]),
  },
  parts: [
    {
      name: 'frame',
      html: '<title>{{ page.slug }}</title>{% block content %}{{ space.name }}{% endblock %}',
    },
    { name: 'cell', html: '<b>{{ value | upcase }}</b>' },
  ],
}

const ROUNDS = 12

/** Evaluates sample pages, so that the parser and renderer are compiled before the first request. */
export function warmUp(evaluator: Evaluator): void {
  const site = new Site('', JSON.stringify(SNAPSHOT))
  for (let round = 1; round <= ROUNDS; round += 1) {
    const rows = `{% for row in data.rows %}${ROW.repeat(round)}{% endfor %}`
    const html = `{% layout "frame" %}{% block content %}${rows}{{ block.super }}{% endblock %}`
    const page = { slug: 'warm-up', url: '', hash: `warm-up ${round}` }
    evaluator.render(site, { ...page, kind: round % 4 === 0 ? 'static' : 'scripted' }, html)
  }
  evaluator.emptyCache()
}
