import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { html, Markup } from '../../routers/core/html.ts'
import { guidesByUrl, guidesWithCredential } from '../shared/connect.ts'
import type { PreparedServer } from './prepared.ts'
import { type ToolServer, toolServers } from './servers.ts'

const style = readFileSync(new URL('page.css', import.meta.url), 'utf8')

/** Headers of the page: nothing runs, nothing is loaded, no page may frame it. */
const HEADERS = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
  Vary: 'Accept',
}

/** What the page says beside the tools themselves. */
interface Surroundings {
  apiRoot: string
  docsUrl: string
  /** Whether clients can get a credential by themselves. */
  byUrlAlone: boolean
}

/** What a browser sees that opens the address of a tool server; whoever asks for anything else is passed on. */
export const servePage = (
  server: ToolServer,
  prepared: PreparedServer,
  surroundings: Surroundings,
): RequestHandler => {
  const text = pageOf(server, prepared, surroundings)
  return (req, res, next) => {
    // Programs that open a stream of events, and those that take anything, are no browsers.
    if (req.accepts(['text/event-stream', 'html']) !== 'html') return next()
    res.set(HEADERS).type('html').send(text)
  }
}

const pageOf = (
  server: ToolServer,
  { list }: PreparedServer,
  { apiRoot, docsUrl, byUrlAlone }: Surroundings,
): string => {
  const { api, title, path } = server
  const url = apiRoot + path
  const guides = byUrlAlone ? guidesByUrl(api, url) : guidesWithCredential(api, url)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Connect an agent to ${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
<h1>Connect an agent to ${title}</h1>
<p class="lead">${server.purpose}</p>
<p>This is the address of a tool server that speaks the Model Context Protocol over HTTP:</p>
<pre tabindex="0" aria-label="Address"><code>${url}</code></pre>
<p>${
    byUrlAlone
      ? html`The address is all that a client needs: it opens a browser, where you sign in and choose what it may do. You can take that back at any time in <a href="${apiRoot}/admin">the screen</a>, where you can also issue a ${api.credential.noun} yourself.`
      : html`A client needs a ${api.credential.noun} as well, which begins with <code>${api.credential.prefix}</code>. You issue it in <a href="${apiRoot}/admin">the screen</a> and choose there what it may do.`
  }</p>
${guides.map(
  ({ program, how, lines }) =>
    html`<section><h2>${program}</h2><p>${how}</p><pre tabindex="0" aria-label="${program}"><code>${lines}</code></pre></section>`,
)}
<section><h2>Tools</h2>
<dl>${list.tools.map(tool => html`<div><dt><code>${tool.name}</code></dt><dd>${tool.title}</dd></div>`)}</dl></section>
<nav aria-label="More"><ul>
${toolServers.filter(other => other !== server).map(other => html`<li><a href="${apiRoot}${other.path}">Connect an agent to ${other.title}</a></li>`)}
<li><a href="${docsUrl}">The reference</a> of the same operations over REST</li>
<li><a href="${apiRoot}/llms.txt">llms.txt</a>, the reference for agents</li>
</ul></nav>
</main>
</body>
</html>
`.text
}
