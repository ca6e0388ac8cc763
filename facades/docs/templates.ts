import { html, type Markup } from '../../routers/core/html.ts'
import { vocabulary } from '../../routers/liquid/vocabulary.ts'
import { prose } from './prose.ts'

const VARIABLES: readonly [name: string, text: string][] = [
  ['space', '`name`, `subdomain` and `url` of the space.'],
  ['page', '`slug` and `url` of the page.'],
  ['pages', 'All pages, each with `slug` and `url`.'],
  ['files', 'All files, each with `name`, `contentType`, `size` and `url`.'],
  ['data', 'The records: `data.events`, or `data["weekly-todo"]`. Unknown names are empty.'],
]

/** Deviations from Shopify's Liquid; test/liquid/idioms.test.ts and language.test.ts show most of them. */
const DEVIATIONS: readonly [title: string, text: string][] = [
  [
    'Output is escaped',
    '`{{ x }}` is escaped for HTML, `{{ x | raw }}` is not. Captured text and `block.super` are not escaped again.',
  ],
  [
    'Whole numbers print without .0',
    '`{{ 10 | plus: 2.0 }}` is `12`, because JSON does not say how a number was written. Only division tells the two apart: `{{ 9.0 | divided_by: 2 }}` is `4.5`, `{{ 9 | divided_by: 2 }}` is `4`.',
  ],
  [
    'Filters are lenient',
    'An unknown filter changes nothing, further arguments are ignored, and missing ones count as empty. Previews give a hint. Dividing by zero is an error.',
  ],
  [
    'Lists can contain anything',
    '`where`, `reject`, `find`, `has`, `map`, `sum`, `uniq` and `compact` skip elements that have no such property instead of failing, and find properties of properties: `where: "author.name", "Ana"`. `sort` compares what can be compared.',
  ],
  ['Objects print as JSON', '`{{ data.event }}` and `{{ data.event | json }}` print the same.'],
  [
    'Each branch runs once',
    'A branch of `case` with several matching values prints once, and only the first `else` counts. A second `else` in `if` is an error.',
  ],
  [
    'More names and operators',
    'Names may begin with a hyphen, `list.0` is `list[0]`, `-1` counts from the end, and conditions may use `not`.',
  ],
  [
    'Loop limits are lenient',
    '`limit` and `offset` that are not numbers count as missing or zero instead of failing.',
  ],
  [
    'Parts',
    '`render`, `include` and `layout` take the names of parts. `include "card" with list` passes the whole list; `for` renders the part for each element.',
  ],
  ['Dates are in UTC', 'Dates without a time zone, too.'],
]

/** What static pages lose; docs/decisions/0004-templates.md has the reasons. */
const REMOVED: readonly [what: string, text: string][] = [
  ['Code', 'Scripts, `template`, event attributes, and addresses such as `javascript:`.'],
  ['Forms', 'Fields, buttons and the form itself. The text in them stays.'],
  ['Embeds', 'Frames, objects and other documents. The fallback of an object stays.'],
  ['SVG', 'Upload it as a file and show it with `img`.'],
  ['Instructions to the browser', '`base`, `meta http-equiv`, and links that only prefetch.'],
  ['Addresses', 'Schemes that make a program act, and `data:` addresses except pictures, audio and video.'],
  [
    'Unknown markup',
    'Unknown elements lose their tags, unknown attributes are removed. Custom elements stay.',
  ],
  ['Comments', 'Also conditional ones.'],
]

const terms = (rows: readonly (readonly [string, string])[]): Markup =>
  html`<dl class="terms">${rows.map(([title, text]) => html`<div><dt>${title}</dt><dd>${prose(text)}</dd></div>`)}</dl>`

const names = (list: readonly string[]): Markup =>
  html`<p>${list.map((name, index) => html`${index > 0 && ' '}<code>${name}</code>`)}</p>`

/** Describes how the template language differs from Shopify's, and what static pages lose. */
export const templates = (): Markup => html`
<section id="templates" aria-labelledby="templates-title"><h2 id="templates-title">Templates</h2>
<p>The bodies of pages and parts are Liquid templates, evaluated at every visit. The language is Shopify’s Liquid with layouts and with filters from Jekyll. These variables are available:</p>
<dl class="limits">${VARIABLES.map(
  ([name, text]) => html`<div><dt><code>${name}</code></dt><dd>${prose(text)}</dd></div>`,
)}</dl>
<h3>Tags</h3>${names(vocabulary.tags)}
<h3>Filters</h3>${names(vocabulary.filters)}
<h3 id="template-differences">Differences from Shopify’s Liquid</h3>${terms(DEVIATIONS)}
<h3 id="static-pages">What static pages lose</h3>
<p>The stored body is never changed. Previews in the dashboard list what is removed from a page, and how often.</p>${terms(REMOVED)}
</section>`
