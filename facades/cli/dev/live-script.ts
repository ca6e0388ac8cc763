import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { html } from '../../../routers/api/html.ts'
import { inlineScript } from '../../http/page/inline-script.ts'

const script = inlineScript(new URL('reload.js', import.meta.url))

/** What the script in a document needs. */
interface Live {
  /** Identifies the state of the folder that the document shows. */
  revision: string
  /** The address of the events, with `*` in place of a name that every document chooses. */
  events: string
  /** What is wrong with the folder or the page; may be empty. */
  problems: string
}

/**
 * Adds a script to the document that a handler sends, and allows that script, and no other, in its policy.
 *
 * @param live called when the document is sent
 */
export const addScript = (res: ServerResponse, live: () => Live): void => {
  let element: Buffer | undefined
  changeHeaders(res, given => {
    if (!String(given['Content-Type']).startsWith('text/html')) return given
    const { revision, events, problems } = live()
    element = Buffer.from(
      html`<script data-revision="${revision}" data-events="${events}" data-problems="${problems}">${script.code}</script>`
        .text,
    )
    return {
      ...given,
      'Content-Length': String(Number(given['Content-Length']) + element.length),
      'Content-Security-Policy': withScript(String(given['Content-Security-Policy']), events),
    }
  })
  const end = res.end.bind(res)
  res.end = ((document?: Buffer) =>
    end(document && element ? Buffer.concat([document, element]) : document)) as typeof res.end
}

/** Changes the headers that a handler sends. */
export const changeHeaders = (
  res: ServerResponse,
  change: (given: OutgoingHttpHeaders) => OutgoingHttpHeaders,
): void => {
  const writeHead = res.writeHead.bind(res)
  res.writeHead = ((status: number, given: OutgoingHttpHeaders = {}) =>
    writeHead(status, change(given))) as typeof res.writeHead
}

/**
 * Returns a policy that also allows the script. A policy that allows all scripts stays as it is. A document without an
 * origin gets one, because a reload keeps the scroll position only in such a document; no other script runs there.
 */
const withScript = (policy: string, events: string): string => {
  const directives = new Map(
    policy.split(';').map(directive => {
      const [name, ...values] = directive.trim().split(' ')
      return [name!, values] as const
    }),
  )
  const allow = (name: string, ...values: string[]) => {
    const before = (directives.get(name) ?? []).filter(value => value !== "'none'")
    directives.set(name, [...new Set([...before, ...values])])
  }
  if (directives.has('default-src') || directives.has('script-src')) {
    allow('script-src', script.source)
    allow('connect-src', events)
  }
  if (directives.has('sandbox')) allow('sandbox', 'allow-scripts', 'allow-same-origin')
  return [...directives].map(([name, values]) => [name, ...values].join(' ')).join('; ')
}
