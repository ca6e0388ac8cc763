import { html, type Markup } from '../../routers/api/html.ts'
import { type Description, entriesOf } from '../openapi/describe.ts'
import { exampleOf } from '../openapi/example.ts'
import { EXTRA_TOOLS, UPLOAD_LINKS } from '../shared/extra-tools.ts'
import { badge, operationSection } from './operation.ts'
import type { Chapter } from './page.ts'
import { block, json, prose } from './prose.ts'
import { fieldList, objectAnchor } from './schema.ts'

const tagAnchor = (tag: string) => `tag-${tag.toLowerCase()}`

/** Returns the entries of an API's page in the table of contents. */
export const apiChapters = (page: string, description: Description): Chapter[] => [
  ...entriesOf(description).map(({ tag, entries }) => ({
    href: `${page}#${tagAnchor(tag)}`,
    title: tag,
    below: entries.map(({ operation, documented }) => ({
      href: `${page}#${documented.operationId}`,
      title: html`${badge(operation.method)} ${documented.summary}`,
    })),
  })),
  ...(description.furtherTools.length > 0 ? [{ href: `${page}#tools`, title: 'Further tools' }] : []),
  { href: `${page}#objects`, title: 'Objects' },
]

/**
 * Returns an API's page: its operations, and the objects that they return. The section of an object has no
 * accessible name, so it is not a landmark. Some objects have the same name as a tag, and two landmarks must not
 * have the same name.
 *
 * @param guide URL of the guide, relative to this page
 */
export const apiPage = (description: Description, guide: string): Markup => {
  const { api, document, furtherTools } = description
  const objects = Object.entries(document.components.schemas).filter(([, schema]) => schema.properties)
  return html`
<header><h1>${api.title} <span class="version">${api.version}</span></h1>
<p class="lead">${api.summary}</p>
<p>Base address <code>${document.servers[0]!.url}</code>. The <a href="${guide}">guide</a> explains credentials, conventions, limits and errors.</p></header>
${entriesOf(description).map(
  ({ tag, entries }) => html`
<section id="${tagAnchor(tag)}" aria-labelledby="${tagAnchor(tag)}-title">
<h2 id="${tagAnchor(tag)}-title">${tag}</h2>
<p>${prose(api.tags[tag]!)}</p>
${entries.map(entry => operationSection(entry, description, guide))}
</section>`,
)}
${
  furtherTools.length > 0 &&
  html`<section id="tools" aria-labelledby="tools-title"><h2 id="tools-title">Further tools</h2>
<p>${prose(EXTRA_TOOLS)}</p>
<dl class="terms">${furtherTools.map(
    ({ meta: { tool } }) =>
      html`<div><dt><code>${tool!.name}</code></dt><dd>${prose(tool!.description)}</dd></div>`,
  )}</dl>
<p>${prose(UPLOAD_LINKS)}</p></section>`
}
<section id="objects" aria-labelledby="objects-title"><h2 id="objects-title">Objects</h2>
<p>The objects in responses. Every field is always present.</p>
${objects
  .filter(([name]) => name !== 'Problem' && name !== 'FieldError')
  .map(
    ([name, schema]) => html`<section class="operation" id="${objectAnchor(name)}">
<h3 id="${objectAnchor(name)}-title"><a href="#${objectAnchor(name)}">${name}</a></h3>
<div class="columns"><div>${fieldList(schema, document, false)}</div>
<div class="examples">${block(name, json(exampleOf(schema, document)))}</div></div></section>`,
  )}
</section>`
}
