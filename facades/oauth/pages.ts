import { html, type Markup } from '../../routers/core/html.ts'
import { limits } from '../../routers/core/rules.ts'
import { userScopes } from '../../routers/core/scopes.ts'
import { destinationOf } from '../../routers/credentials/oauth/redirects.ts'
import type { AuthorizationRequest } from '../../routers/credentials/oauth/request.ts'

interface Page {
  /** Path of the pages, without a slash at its end. */
  base: string
}

interface Question extends Page {
  /** The client's request as it came. */
  query: string
  request: AuthorizationRequest
}

const layout = (base: string, title: string, main: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Space Site</title>
<link rel="icon" href="${base.replace(/\/oauth$/, '')}/favicon.svg">
<link rel="stylesheet" href="${base}/style.css">
</head>
<body>
<main>
<p class="brand">Space Site</p>
${main}
</main>
</body>
</html>
`.text

/** The page on which a person signs in before being asked. */
export const signInPage = ({
  base,
  query,
  request,
  cancel,
  fault,
}: Question & {
  /** Where the client is told no. */
  cancel: string
  fault: string | null
}): string =>
  layout(
    base,
    fault === null ? 'Sign in' : 'Sign-in failed',
    html`<h1>Sign in to connect <bdi>${request.client.name}</bdi></h1>
${about(request)}
${fault === null ? null : html`<p class="fault" role="alert" id="fault">${fault}</p>`}
<form method="post" action="${base}/sign-in">
<input type="hidden" name="request" value="${query}">
<label for="handle">Handle</label>
<input id="handle" name="handle" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="50">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<p class="actions">
<a class="button" href="${cancel}">Cancel</a>
<button class="main">Sign in</button>
</p>
</form>
<p class="quiet"><a href="${adminOf(base)}/sign-in?authorize=${encodeURIComponent(query)}">Sign in another way, or make an account</a>: then this goes on.</p>`,
  )

type ConsentFault = 'nothing chosen' | 'too many tokens'

const FAULTS: Record<ConsentFault, (base: string) => Markup> = {
  'nothing chosen': () => html`Choose at least one, or say no.`,
  'too many tokens': base =>
    html`You have ${limits.tokens} tokens and connected clients, and there cannot be more. <a href="${adminOf(base)}/account/tokens" target="_blank" rel="noopener">Revoke one that nothing uses any more</a>, then allow this one again.`,
}

/** Where the screen is. */
const adminOf = (base: string) => `${base.replace(/\/oauth$/, '')}/admin`

/** The question itself. */
export const consentPage = ({
  base,
  query,
  request,
  handle,
  proof,
  chosen = request.offered,
  fault = null,
}: Question & {
  /** Who is signed in. */
  handle: string
  /** What shows that the form comes from this page. */
  proof: string
  /** Scopes that are ticked; all unless said. */
  chosen?: readonly string[]
  /** Why a yes did not do. */
  fault?: ConsentFault | null
}): string =>
  layout(
    base,
    'Connect a client',
    html`<h1>Let <bdi>${request.client.name}</bdi> act as @${handle}?</h1>
${about(request)}
<form method="post" action="${base}/consent">
<input type="hidden" name="request" value="${query}">
<input type="hidden" name="proof" value="${proof}">
${fault === null ? null : html`<p class="fault" role="alert" id="fault">${FAULTS[fault](base)}</p>`}
<fieldset${fault === null ? null : html` aria-describedby="fault"`}>
<legend>It may</legend>
${request.offered.map(
  scope => html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${chosen.includes(scope) ? html` checked` : null}>
<span>${userScopes[scope]} <code>${scope}</code></span></label>
`,
)}
</fieldset>
<p class="quiet">It is listed among your tokens, and stops working the moment you revoke it there.</p>
<p class="actions">
<button name="decision" value="deny">Deny</button>
<button class="main" name="decision" value="allow">Allow</button>
</p>
<p class="quiet">Signed in as @${handle}. <button class="link" name="decision" value="switch">Use another account</button></p>
</form>`,
  )

/** What a person sees when nobody can be told no, because who asked is not clear. */
export const refusedPage = ({ base, reason }: Page & { reason: string }): string =>
  layout(
    base,
    'Cannot connect',
    html`<h1>This connection cannot be made</h1>
<p class="fault" role="alert">${reason}.</p>
<p>Nothing has been allowed. Remove the connection in your client and add it again; if that does not help, the client has a fault.</p>`,
  )

/** Who asks, how far that is known, and where the answer goes. */
const about = ({ client, redirectUri }: AuthorizationRequest): Markup => html`<dl>
<div><dt>Client</dt>
<dd><bdi><b>${client.name}</b></bdi><br>${
  client.host === null
    ? html`<span class="unverified">Unverified name: it has registered itself, and may call itself what it likes.</span>`
    : html`<span>Described by <b>${client.host}</b></span>`
}</dd></div>
<div><dt>Sends you to</dt>
<dd>${destination(redirectUri)}</dd></div>
</dl>`

const destination = (redirectUri: string): Markup => {
  const to = destinationOf(redirectUri)
  if (to.kind === 'web') return html`<b>${to.host}</b>`
  if (to.kind === 'app') return html`the app on this device that opens <b>${to.scheme}</b> links`
  return html`a program on this computer, at <b>${to.host}</b>. Go on only if you have just started it yourself.`
}
