import type { RequestHandler } from 'express'
import { html } from '../../routers/api/html.ts'
import { basePath } from '../http/base-path.ts'
import { chosenColorScheme, inColorScheme } from '../http/page/color-scheme.ts'
import { mainSitePage } from '../http/page/main-site.ts'
import { mainSiteStyle } from '../http/page/main-site-style.ts'
import { pagePolicy } from '../http/policy.ts'
import { sendText } from '../http/send-text.ts'
import { guideForPrograms, guidesByUrl } from '../shared/connect.ts'
import type { PreparedServer } from './prepare-server.ts'
import { type ToolServer, toolServers } from './servers.ts'

const style = mainSiteStyle(new URL('page.css', import.meta.url))

/** Returns the headers of the page. They allow no scripts and no framing, only the logo and the typeface. */
const headersFor = (base: string) => ({
  'Content-Security-Policy': pagePolicy(style(base)),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
  Vary: 'Accept, Cookie',
})

/** Settings that the page mentions. */
interface PageOptions {
  apiRoot: string
  docsUrl: string
}

/** Serves a page with connection instructions to browsers that open a tool server's URL. */
export const servePage = (
  server: ToolServer,
  prepared: PreparedServer,
  options: PageOptions,
): RequestHandler => {
  const text = pageOf(server, prepared, options)
  const headers = headersFor(basePath(options.apiRoot))
  return (req, res, next) => {
    // Browsers prefer HTML. Other clients do not: some ask for an event stream, others accept any type.
    if (req.accepts(['text/event-stream', 'html']) !== 'html') return next()
    sendText(res.set(headers).type('html'), inColorScheme(text, chosenColorScheme(req)))
  }
}

const pageOf = (server: ToolServer, { list }: PreparedServer, { apiRoot, docsUrl }: PageOptions): string => {
  const { api, title, path, name } = server
  const url = apiRoot + path
  const target = { name, url }
  return mainSitePage({
    base: basePath(apiRoot),
    section: '/mcp',
    title: `Connect an agent to ${title} · Space Site`,
    style,
    main: html`<h1>Connect an agent to ${title}</h1>
<p class="lead">${server.purpose}</p>
<p>This is the URL of the tool server (Model Context Protocol over HTTP):</p>
<pre tabindex="0" aria-label="Address"><code>${url}</code></pre>
<p>The URL is all that a client needs. The client opens a browser, where you sign in and choose ${server.grants}. You can revoke its access at any time in <a href="${apiRoot}/admin">the dashboard</a>, where you can also create a ${api.credential.noun} yourself.</p>
${[...guidesByUrl(target), guideForPrograms(api, target)].map(
  ({ program, how, lines, alternative, next }) =>
    html`<section><h2>${program}</h2><p>${how}</p><pre tabindex="0" aria-label="${program}"><code>${lines}</code></pre>${alternative === undefined ? '' : html`<p>${alternative.how}</p><pre tabindex="0" aria-label="${program}, file"><code>${alternative.lines}</code></pre>`}${next === undefined ? '' : html`<p>${next}</p>`}</section>`,
)}
<section><h2>Tools</h2>
<dl>${list.tools.map(tool => html`<div><dt><code>${tool.name}</code></dt><dd>${tool.title}</dd></div>`)}</dl></section>
<nav class="more" aria-label="More"><ul>
${toolServers.filter(other => other !== server).map(other => html`<li><a href="${apiRoot}${other.path}">Connect an agent to ${other.title}</a></li>`)}
<li><a href="${docsUrl}">API reference</a>: the same operations over REST</li>
<li><a href="${apiRoot}/llms.txt">llms.txt</a>, the reference for agents</li>
</ul></nav>`,
  })
}
