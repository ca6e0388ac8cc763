import { html, type Markup } from '../../routers/core/html.ts'
import { limits } from '../../routers/core/rules.ts'
import { userScopes } from '../../routers/core/scopes.ts'
import { destinationOf } from '../../routers/credentials/oauth/redirects.ts'
import type { AuthorizationRequest, InvalidRequest } from '../../routers/credentials/oauth/request.ts'
import { mainSitePage } from '../http/page/main-site.ts'
import { HEADER_CSS, styleOf } from '../http/page/style.ts'

interface Page {
  /** Path of the pages, without a trailing slash. */
  base: string
}

interface ConsentRequest extends Page {
  /** The query of the client's request, unchanged. */
  query: string
  request: AuthorizationRequest
}

/** The style of the pages. */
export const style = styleOf(HEADER_CSS, new URL('style.css', import.meta.url))

const layout = (base: string, title: string, main: Markup): string =>
  mainSitePage({
    base: base.replace(/\/oauth$/, ''),
    title: `${title} · Space Site`,
    style,
    hasNavigation: false,
    head: html`<meta name="robots" content="noindex">`,
    main,
  })

/** The sign-in page, which comes before consent. */
export const signInPage = ({
  base,
  query,
  request,
  cancel,
  error,
}: ConsentRequest & {
  /** Redirect target that denies the request. */
  cancel: string
  error: string | null
}): string =>
  layout(
    base,
    error === null ? 'Sign in' : 'Sign-in failed',
    html`<h1>Sign in to connect <bdi>${request.client.name}</bdi></h1>
${about(request)}
${error === null ? null : html`<p class="error" role="alert" id="error">${error}</p>`}
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
<p class="quiet"><a href="${adminOf(base)}/sign-in?authorize=${encodeURIComponent(query)}">Sign in another way or create an account</a>. You will come back here afterwards.</p>`,
  )

type ConsentError = 'nothing chosen' | 'too many tokens'

const ERRORS: Record<ConsentError, (base: string) => Markup> = {
  'nothing chosen': () => html`Choose at least one permission, or deny the request.`,
  'too many tokens': base =>
    html`You have reached the limit of ${limits.tokens} tokens and connected apps. <a href="${adminOf(base)}/account/tokens" target="_blank" rel="noopener">Revoke one you no longer use</a>, then choose Allow again.`,
}

/** Path of the dashboard. */
const adminOf = (base: string) => `${base.replace(/\/oauth$/, '')}/admin`

/** The consent page. */
export const consentPage = ({
  base,
  query,
  request,
  handle,
  proof,
  chosen = request.offered,
  error = null,
}: ConsentRequest & {
  /** Handle of the signed-in account. */
  handle: string
  /** CSRF token of the form. */
  proof: string
  /** Checked scopes; all by default. */
  chosen?: readonly string[]
  /** Why the last approval failed. */
  error?: ConsentError | null
}): string =>
  layout(
    base,
    'Connect an app',
    html`<h1>Let <bdi>${request.client.name}</bdi> act as @${handle}?</h1>
${about(request)}
<form method="post" action="${base}/consent">
<input type="hidden" name="request" value="${query}">
<input type="hidden" name="proof" value="${proof}">
${error === null ? null : html`<p class="error" role="alert" id="error">${ERRORS[error](base)}</p>`}
<fieldset${error === null ? null : html` aria-describedby="error"`}>
<legend>Permissions</legend>
${request.offered.map(
  scope => html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${chosen.includes(scope) ? html` checked` : null}>
<span>${userScopes[scope]} <code>${scope}</code></span></label>
`,
)}
</fieldset>
<p class="quiet">The app will appear in your list of tokens. Revoke it there at any time to stop its access at once.</p>
<p class="actions">
<button name="decision" value="deny">Deny</button>
<button class="main" name="decision" value="allow">Allow</button>
</p>
<p class="quiet">Signed in as @${handle}. <button class="link" name="decision" value="switch">Use another account</button></p>
</form>`,
  )

/** The error page for an invalid request of a known client, which offers to report the error to it. */
export const invalidRequestPage = ({
  base,
  client,
  redirectUri,
  location,
  error,
}: Page & InvalidRequest): string =>
  layout(
    base,
    'Cannot connect',
    html`<h1>Cannot connect <bdi>${client.name}</bdi></h1>
<p class="error" role="alert">The app sent an invalid request: ${error.message}.</p>
<p>Nothing was approved. You can go back to the app, which then learns what went wrong. If that does not help, contact the developer of the app.</p>
${about({ client, redirectUri })}
<p class="actions"><a class="button" href="${location}" rel="noreferrer">Go back to the app</a></p>`,
  )

/** The error page for requests whose client is not known well enough to redirect to it. */
export const refusedPage = ({ base, reason }: Page & { reason: string }): string =>
  layout(
    base,
    'Cannot connect',
    html`<h1>Cannot connect this app</h1>
<p class="error" role="alert">${reason}.</p>
<p>Nothing was approved. Remove the connection in the app and add it again. If that does not help, contact the developer of the app.</p>`,
  )

/** Names the client, says whether its name is verified, and shows where it redirects. */
const about = ({
  client,
  redirectUri,
}: Pick<AuthorizationRequest, 'client' | 'redirectUri'>): Markup => html`<dl>
<div><dt>App</dt>
<dd><bdi><b>${client.name}</b></bdi><br>${
  client.host === null
    ? html`<span class="unverified">Unverified name: the app registered itself, so this name could be anything.</span>`
    : html`<span>Published by <b>${client.host}</b></span>`
}</dd></div>
<div><dt>Sends you to</dt>
<dd>${destination(redirectUri)}</dd></div>
</dl>`

const destination = (redirectUri: string): Markup => {
  const to = destinationOf(redirectUri)
  if (to.kind === 'web') return html`<b>${to.host}</b>`
  if (to.kind === 'app') return html`the app on this device that opens <b>${to.scheme}</b> links`
  return html`a program on this computer, at <b>${to.host}</b>. Continue only if you just started it.`
}
