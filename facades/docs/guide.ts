import { type ErrorCode, errors } from '../../routers/api/errors.ts'
import { type Content, html, type Markup } from '../../routers/api/html.ts'
import { limits } from '../../routers/api/rules.ts'
import { conventions } from '../openapi/conventions.ts'
import { type Description, isMail, type ServiceInfo } from '../openapi/describe.ts'
import type { Header } from '../openapi/document.ts'
import { codesOfTool, documentedCodes, errorCodesOf, ROUTING_ERRORS } from '../openapi/error-codes.ts'
import { formatNumber } from '../openapi/format.ts'
import { siteFacts } from '../shared/site-guide.ts'
import { computer } from './computer.ts'
import { limitsOf } from './limits.ts'
import type { Chapter } from './page.ts'
import { block, json, prose, termList } from './prose.ts'
import { recipes } from './recipes.ts'
import { callSamples } from './samples.ts'
import { templates } from './templates.ts'
import { webhooks } from './webhooks.ts'

/** Returns the entries of the guide in the table of contents. */
export const guideChapters = (page: string, descriptions: Description[]): Chapter[] => [
  { href: `${page}#start`, title: 'Getting started' },
  { href: `${page}#sites`, title: 'Building a site' },
  { href: `${page}#credentials`, title: 'Credentials and scopes' },
  { href: `${page}#conventions`, title: 'Conventions' },
  { href: `${page}#headers`, title: 'Response headers' },
  { href: `${page}#safe-retries`, title: 'Safe retries' },
  { href: `${page}#sync`, title: 'Sync from another source' },
  { href: `${page}#webhooks`, title: 'Webhooks' },
  { href: `${page}#templates`, title: 'Templates' },
  { href: `${page}#computer`, title: 'Work from your computer' },
  { href: `${page}#limits`, title: 'Limits' },
  {
    href: `${page}#errors`,
    title: 'Errors',
    below: documentedCodes(descriptions).map(code => ({
      href: `${page}#error-${code}`,
      title: html`<code>${code}</code>`,
    })),
  },
  { href: `${page}#help`, title: 'Help and terms' },
]

/**
 * The guide: the rules that both APIs share, and an explanation of every error.
 *
 * @param pageOf URL of an API's page, relative to the guide
 */
export const guide = (
  descriptions: Description[],
  { apiRoot, callsPerMinute, creationLimits, contact }: ServiceInfo,
  pageOf: (description: Description) => string,
): Markup => {
  const first = { apiRoot, parameters: { subdomain: 'garden' }, credential: 'KEY', hasAnswer: true } as const
  return html`
<header><h1>Reference</h1>
<p class="lead">Two JSON APIs: one builds websites from Liquid pages, data and files, the other publishes posts on the timeline.</p>
<ul class="cards">${descriptions.map(
    description =>
      html`<li><a href="${pageOf(description)}"><strong>${description.api.title}</strong> <span class="version">${description.api.version}</span><span>${description.api.summary}</span></a></li>`,
  )}</ul></header>

<section id="start" aria-labelledby="start-title"><h2 id="start-title">Getting started</h2>
<p>All paths are relative to the base address <code>${apiRoot}/v1</code>. Every call needs a credential. Create one in the dashboard, then check what it allows:</p>
${callSamples('Read your space', { ...first, operation: 'getSpace', method: 'GET', path: '/spaces/{subdomain}' })}
<p>For curl and Python, set the variable <code>KEY</code> first: <code>export KEY=${descriptions[0]!.api.credential.prefix}…</code>. The <a href="docs/client">JavaScript client</a> has types for everything, and waits where the service says so.</p>
<p>Replace <code>garden</code> with the subdomain of your space. Then create a page. It is public immediately, at the <code>url</code> in the response:</p>
${callSamples('Create a page', {
  ...first,
  operation: 'createPage',
  method: 'POST',
  path: '/spaces/{subdomain}/pages',
  body: { slug: 'hello', html: '<h1>Hello from {{ space.name }}</h1>' },
})}
<p>OpenAPI 3.1 documents: ${descriptions.map(({ api }, index) => [index > 0 && ' and ', html`<a href="${api.documentPath.slice(1)}">${api.title}</a>`])}.</p>
</section>

<section id="sites" aria-labelledby="sites-title"><h2 id="sites-title">Building a site</h2>
${termList('site', siteFacts.map(pair))}</section>

<section id="credentials" aria-labelledby="credentials-title"><h2 id="credentials-title">Credentials and scopes</h2>
<p>Send <code>Authorization: Bearer …</code>. A credential of one API does not work in the other.</p>
${descriptions.map(credentials)}
<h3 id="credentials-end">Expiry and rotation</h3>${termList('credentials', ENDS)}
</section>

<section id="conventions" aria-labelledby="conventions-title"><h2 id="conventions-title">Conventions</h2>
${termList('convention', conventions(callsPerMinute).map(pair))}</section>

<section id="headers" aria-labelledby="headers-title"><h2 id="headers-title">Response headers</h2>
<p>The descriptions of operations list the headers that their responses can have. If you send the <code>ETag</code> of what you have in <code>If-None-Match</code> of a read, the response is a 304 without a body as long as it is current; this counts as a call. Lists have no tag.</p>
${termList('header', headersOf(descriptions))}</section>

${recipes(apiRoot)}

${webhooks()}

${templates()}

${computer(apiRoot)}

<section id="limits" aria-labelledby="limits-title"><h2 id="limits-title">Limits</h2>
<p>Each credential may make ${formatNumber(callsPerMinute)} calls per minute.</p>
${descriptions.map(
  ({ api }) =>
    html`<h3>${api.title}</h3><dl class="limits">${limitsOf(creationLimits)[api.name].map(
      ([name, maximum]) => html`<div><dt>${name}</dt><dd>${maximum}</dd></div>`,
    )}</dl>`,
)}</section>

<section id="errors" aria-labelledby="errors-title"><h2 id="errors-title">Errors</h2>
<p>Errors are returned as <code>application/problem+json</code>. The <code>type</code> is the URL of one of the entries below. Only <a href="#error-validation_failed"><code>validation_failed</code></a> has <code>errors</code>.</p>
${block('An error', json(sampleError(descriptions)))}
${documentedCodes(descriptions).map(code => errorEntry(code, descriptions, pageOf))}
</section>

<section id="help" aria-labelledby="help-title"><h2 id="help-title">Help and terms</h2>
<p>${contact === undefined ? 'Ask the operator of this service for help.' : html`For help, write to the operator of this service: <a href="${isMail(contact) ? `mailto:${contact}` : contact}" rel="nofollow">${contact}</a>.`} After an <a href="#error-internal_error"><code>internal_error</code></a>, quote the reference from its <code>detail</code>: the operator needs it to find the cause in the log.</p>
<p id="terms">The operator decides who may use this service and for what; the APIs have no license of their own. Everything you put into pages, parts, data and files is public.</p>
<p>What changes, and what a version promises, is in the <a href="docs/changelog">changelog</a>: what a major version will remove is announced in a minor version before.</p>
</section>`
}

/** The headers of responses of all APIs, with their descriptions. */
const headersOf = (descriptions: Description[]): [string, string][] => {
  const headers = Object.assign(
    {},
    ...descriptions.map(({ document }) => document.components.headers),
  ) as Record<string, Header>
  return Object.entries(headers).map(([name, { description }]) => [name, `${description}.`])
}

const pair = ({ title, text }: { title: string; text: string }) => [title, text] as const

/** How keys and tokens end, and how to replace them in time. */
const ENDS: readonly (readonly [string, string])[] = [
  [
    'Expiry',
    `Whoever creates a key or token chooses how long it works: ${limits.keyDays.slice(0, -1).join(', ')} or ${limits.keyDays.at(-1)} days, or without end. After that, calls get the same 401 as with an unknown one. The dashboard shows when each one ends. A key also ends when the person who created it leaves the space, and any of them when it is revoked.`,
  ],
  [
    'Rotation',
    'To replace a key or token without an interruption, choose “Rotate” in the dashboard: it creates another one with the same scopes and the same lifetime. The old one works for another hour, day or week, or ends at once. Meanwhile, give the new one to your program. The view of its usage shows whether the old one is still in use.',
  ],
]

const credentials = ({ api }: Description): Markup => html`<h3>${api.title}: ${api.credential.noun}s</h3>
<p>A ${api.credential.noun} starts with <code>${api.credential.prefix}</code>. ${api.credential.origin}</p>
<dl class="limits">${Object.entries(api.scopes).map(
  ([scope, words]) => html`<div><dt><code>${scope}</code></dt><dd>${words}</dd></div>`,
)}</dl>`

const sampleError = (descriptions: Description[]): unknown => {
  const { document } = descriptions[0]!
  const response = document.paths['/spaces/{subdomain}/pages']?.post?.responses['422']
  if (!response || !('content' in response)) return {}
  const example = response.content?.['application/problem+json']?.examples?.validation_failed
  return example && 'value' in example ? example.value : {}
}

const errorEntry = (
  code: ErrorCode,
  descriptions: Description[],
  pageOf: (description: Description) => string,
): Markup => {
  const { status, title, explanation } = errors[code]
  return html`<section class="error" id="error-${code}" aria-labelledby="error-${code}-title">
<h3 id="error-${code}-title"><a href="#error-${code}"><code>${code}</code></a> <span class="status">${status}</span></h3>
<p><strong>${title}.</strong> ${prose(explanation)}</p>
<p class="where">${whereOf(code, descriptions, pageOf)}</p></section>`
}

/** Lists the operations that can return the given error. */
const whereOf = (
  code: ErrorCode,
  descriptions: Description[],
  pageOf: (description: Description) => string,
): Content => {
  if (ROUTING_ERRORS.includes(code)) return 'Returned for requests that match no operation.'
  const per = descriptions.flatMap(description => {
    const matching = description.operations.filter(operation => errorCodesOf(operation).includes(code))
    if (matching.length === 0) return []
    if (matching.length === description.operations.length)
      return [html`every operation of the <a href="${pageOf(description)}">${description.api.title}</a>`]
    if (matching.length > 6)
      return [
        html`${matching.length} operations of the <a href="${pageOf(description)}">${description.api.title}</a>`,
      ]
    return matching.map(({ meta }) => {
      const id = meta.openapi!.operationId!
      return html`<a href="${pageOf(description)}#${id}">${meta.openapi!.summary}</a>`
    })
  })
  const tools = descriptions.flatMap(({ furtherTools }) =>
    furtherTools.filter(tool => codesOfTool(tool).includes(code)).map(({ meta }) => meta.tool!.name),
  )
  if (per.length === 0)
    return [
      'Returned by the tools ',
      tools.map((name, index) => [index > 0 && ', ', html`<code>${name}</code>`]),
      '.',
    ]
  return ['Returned by ', per.map((one, index) => [index > 0 && ', ', one]), '.']
}
