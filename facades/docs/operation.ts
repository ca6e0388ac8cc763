import { type ErrorCode, errors } from '../../routers/api/errors.ts'
import { type Content, html, type Markup } from '../../routers/api/html.ts'
import type { Description, Entry } from '../openapi/describe.ts'
import type { Parameter, Response } from '../openapi/document.ts'
import { errorCodesOf } from '../openapi/error-codes.ts'
import { block, json, prose } from './prose.ts'
import { callSamples, exampleCall } from './samples.ts'
import { fieldList, objectAnchor, objectRules } from './schema.ts'

/** A label with the HTTP method. */
export const badge = (method: string): Markup =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** A path with its parameters highlighted. */
export const pathMarkup = (path: string): Content =>
  path.split(/(\{\w+\})/).map(part => (part.startsWith('{') ? html`<var>${part}</var>` : part))

/**
 * The section of an operation: its description, with examples beside it.
 *
 * @param guide URL of the guide, which explains the errors
 */
export const operationSection = (entry: Entry, description: Description, guide: string): Markup => {
  const { operation, documented } = entry
  const { document } = description
  const body = documented.requestBody?.content['application/json']
  const { status = 200 } = operation.meta
  const success = documented.responses[status] as Response
  const response = success.content?.['application/json']
  const name = response?.schema.$ref?.replace('#/components/schemas/', '')
  return html`
<section class="operation" id="${documented.operationId}" aria-labelledby="${documented.operationId}-title" data-method="${operation.method}" data-path="${operation.path}" data-credential="${description.api.credential.noun}"${body && html` data-body="${JSON.stringify(body.example, null, 2)}"`}>
<h3 id="${documented.operationId}-title"><a href="#${documented.operationId}">${documented.summary}</a></h3>
<p class="route">${badge(operation.method)} <code>${pathMarkup(operation.path)}</code></p>
<div class="columns">
<div>
${documented.description.split('\n\n').map(text => html`<p>${prose(text)}</p>`)}
${parameterList('Path', 'path', entry, document)}
${parameterList('Query', 'query', entry, document)}
${parameterList('Headers', 'header', entry, document)}
${
  body &&
  html`<h4>Body</h4><p>${documented.requestBody!.description}.</p>${fieldList(body.schema, document, true)}${objectRules(body.schema)}`
}
<h4>Response</h4>
<p><strong>${status}</strong> ${name ? html`with ${article(name)} <a href="#${objectAnchor(name)}">${name}</a>` : 'without a body'}.${'304' in documented.responses && html` <strong>304</strong> without a body, if the tag in <code>If-None-Match</code> is the current one.`}</p>
<p class="headers">Headers: ${headerNames(success).map((header, index) => html`${index > 0 && ', '}<a href="${guide}#header-${header.toLowerCase()}"><code>${header}</code></a>`)}.</p>
<h4>Errors</h4>
${errorList(errorCodesOf(operation), guide)}
</div>
<div class="examples">
${callSamples('Request', exampleCall(entry, document.servers[0]!.url.replace(/\/v1$/, '')))}
${response && block(`Response ${status}`, json(response.example))}
</div>
</div>
</section>`
}

/** The parameters of one kind under a heading. */
const parameterList = (
  title: string,
  kind: Parameter['in'],
  { documented }: Entry,
  document: Description['document'],
): Content => {
  const parameters = documented.parameters.filter(parameter => parameter.in === kind)
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  return parameters.length > 0 && html`<h4>${title}</h4>${fieldList({ properties }, document, false)}`
}

/** The names of the headers that a response can have. */
export const headerNames = ({ headers = {} }: Response): string[] => Object.keys(headers)

const article = (name: string) => (/^[AEIO]/.test(name) ? 'an' : 'a')

const errorList = (codes: ErrorCode[], guide: string): Markup =>
  html`<ul class="error-codes">${codes
    .toSorted((a, b) => errors[a].status - errors[b].status)
    .map(
      code => html`<li>${errors[code].status} <a href="${guide}#error-${code}"><code>${code}</code></a></li>`,
    )}</ul>`
