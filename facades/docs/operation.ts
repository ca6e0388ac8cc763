import { type ErrorCode, errors } from '../../routers/core/errors.ts'
import { type Content, html, type Markup } from '../../routers/core/html.ts'
import type { Description } from '../openapi/describe.ts'
import type { DocumentedOperation, Response } from '../openapi/document.ts'
import { errorCodesOf } from '../openapi/error-codes.ts'
import type { Operation } from '../operations/list.ts'
import { block, json, prose } from './prose.ts'
import { fieldList, objectAnchor, wholeRules } from './schema.ts'

/** An operation as the reference shows it. */
export interface Entry {
  operation: Operation
  documented: DocumentedOperation
}

/** The operations of an API in the order of its tags. */
export const entriesOf = ({ api, operations, document }: Description): { tag: string; entries: Entry[] }[] =>
  Object.keys(api.tags).map(tag => ({
    tag,
    entries: operations
      .map(operation => ({
        operation,
        documented: document.paths[operation.path]![operation.method.toLowerCase()]!,
      }))
      .filter(({ documented }) => documented.tags.includes(tag)),
  }))

/** `POST` as a label. */
export const badge = (method: string): Markup =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** A path whose parameters stand out. */
export const pathMarkup = (path: string): Content =>
  path.split(/(\{\w+\})/).map(part => (part.startsWith('{') ? html`<var>${part}</var>` : part))

/**
 * Everything about one operation: what it does beside what it looks like.
 *
 * @param guide address of the page with the errors
 */
export const operationSection = (entry: Entry, description: Description, guide: string): Markup => {
  const { operation, documented } = entry
  const { document } = description
  const body = documented.requestBody?.content['application/json']
  const { status = 200 } = operation.meta
  const success = documented.responses[status] as Response
  const answer = success.content?.['application/json']
  const name = answer?.schema.$ref?.replace('#/components/schemas/', '')
  return html`
<section class="operation" id="${documented.operationId}" aria-labelledby="${documented.operationId}-title">
<h3 id="${documented.operationId}-title"><a href="#${documented.operationId}">${documented.summary}</a></h3>
<p class="route">${badge(operation.method)} <code>${pathMarkup(operation.path)}</code></p>
<div class="columns">
<div>
${documented.description.split('\n\n').map(text => html`<p>${prose(text)}</p>`)}
${
  documented.parameters.length > 0 &&
  html`<h4>Path</h4>${fieldList({ properties: Object.fromEntries(documented.parameters.map(({ name, schema }) => [name, schema])) }, document, false)}`
}
${
  body &&
  html`<h4>Body</h4><p>${documented.requestBody!.description}.</p>${fieldList(body.schema, document, true)}${wholeRules(body.schema)}`
}
<h4>Answer</h4>
<p><strong>${status}</strong> ${name ? html`with ${article(name)} <a href="#${objectAnchor(name)}">${name}</a>` : 'without a body'}.</p>
<h4>Failures</h4>
${failureList(errorCodesOf(operation), guide)}
</div>
<div class="examples">
${block('Request', curl(entry, description))}
${answer && block(`Answer ${status}`, json(answer.example))}
</div>
</div>
</section>`
}

const article = (name: string) => (/^[AEIO]/.test(name) ? 'an' : 'a')

const failureList = (codes: ErrorCode[], guide: string): Markup =>
  html`<ul class="failures">${codes
    .toSorted((a, b) => errors[a].status - errors[b].status)
    .map(
      code => html`<li>${errors[code].status} <a href="${guide}#error-${code}"><code>${code}</code></a></li>`,
    )}</ul>`

/** A shell's single-quoted text. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The command line that calls an operation with the example of its document. */
const curl = ({ operation, documented }: Entry, { api, document }: Description): string => {
  const examples = new Map(documented.parameters.map(({ name, schema }) => [name, schema.examples?.[0]]))
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => String(examples.get(name)))
  const body = documented.requestBody?.content['application/json'].example
  return [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${document.servers[0]!.url}${path}`,
    `-H "Authorization: Bearer $${api.credential.noun.toUpperCase()}"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}
