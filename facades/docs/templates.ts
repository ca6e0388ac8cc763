import { html, type Markup } from '../../routers/api/html.ts'
import { vocabulary } from '../../routers/rendering/vocabulary.ts'
import {
  deviations,
  formatting,
  printing,
  removedMarkup,
  sharing,
  variables,
} from '../shared/template-guide.ts'
import { prose, termList } from './prose.ts'

const names = (list: readonly string[]): Markup =>
  html`<p>${list.map((name, index) => html`${index > 0 && ' '}<code>${name}</code>`)}</p>`

/** Describes how the template language differs from Shopify's, and which markup is removed from static pages. */
export const templates = (): Markup => html`
<section id="templates" aria-labelledby="templates-title"><h2 id="templates-title">Templates</h2>
<p>The bodies of pages and parts are Liquid templates, evaluated at every visit. The language is Shopify’s Liquid with layouts and with filters from Jekyll. These variables are available:</p>
<dl class="limits">${variables.map(
  ([name, text]) => html`<div><dt><code>${name}</code></dt><dd>${prose(text)}</dd></div>`,
)}</dl>
<h3 id="sharing-templates">Sharing templates</h3>${termList('sharing', sharing)}
<h3 id="printing">Lists and errors</h3>${termList('printing', printing)}
<h3 id="formatting">Dates, prices and scripts</h3>${termList('formatting', formatting)}
<h3 id="tags">Tags</h3>${names(vocabulary.tags)}
<h3 id="filters">Filters</h3>${names(vocabulary.filters)}
<h3 id="template-differences">Differences from Shopify’s Liquid</h3>${termList('difference', deviations)}
<h3 id="static-pages">Removed from static pages</h3>
<p>The stored body is never changed. Previews in the dashboard list what is removed from a page, and how often.</p>${termList('removed', removedMarkup)}
</section>`
