import { html, type Markup } from '../../routers/api/html.ts'
import { limits } from '../../routers/api/rules.ts'
import { spaceScopes, userScopes } from '../../routers/api/scopes.ts'
import type { GrantResource, ResourceKind } from '../../routers/credentials/oauth/addresses.ts'
import { destinationOf } from '../../routers/credentials/oauth/redirects.ts'
import type { AuthorizationRequest, InvalidRequest } from '../../routers/credentials/oauth/request.ts'
import { mainSitePage } from '../http/page/main-site.ts'
import { mainSiteStyle } from '../http/page/main-site-style.ts'

export interface Page {
  /** Base path of the main site. */
  base: string
}

export interface ConsentRequest extends Page {
  /** The query of the client's request, unchanged. */
  query: string
  request: AuthorizationRequest
}

/** The style of the pages. */
export const style = mainSiteStyle(new URL('style.css', import.meta.url))

/** Lays out a page of the authorization server. */
export const layout = (base: string, title: string, main: Markup): string =>
  mainSitePage({
    base,
    title: `${title} · Space Site`,
    style,
    hasNavigation: false,
    head: html`<meta name="robots" content="noindex">`,
    main,
  })

type ConsentError = 'nothing chosen' | 'no space' | 'too many tokens' | 'too many keys'

const ERRORS: Record<ConsentError, (base: string) => Markup> = {
  'nothing chosen': () => html`Choose at least one permission, or deny the request.`,
  'no space': () => html`Choose one of your spaces.`,
  'too many keys': () =>
    html`This space has reached the limit of ${limits.keys} keys and connected apps. In the dashboard, revoke one you no longer use, or choose another space here. Then choose Allow again.`,
  'too many tokens': base =>
    html`You have reached the limit of ${limits.tokens} tokens and connected apps. <a href="${base}/admin/account/tokens" target="_blank" rel="noopener">Revoke one you no longer use</a>, then choose Allow again.`,
}

/** Texts of the consent page, which differ by what the client is connected to. */
const CONSENT: Record<
  ResourceKind,
  {
    scopes: Readonly<Record<string, string>>
    heading: (app: Markup, handle: string) => Markup
    where: string
  }
> = {
  space: {
    scopes: spaceScopes,
    heading: app => html`Let ${app} work on a space?`,
    where:
      'The app will appear among the keys of the space. Any owner can disconnect it there, which stops its access at once. Its access also stops when you leave the space or become an editor.',
  },
  user: {
    scopes: userScopes,
    heading: (app, handle) => html`Let ${app} act as @${handle}?`,
    where:
      'The app will appear among your tokens and apps. Disconnect it there at any time to stop its access at once.',
  },
}

/** Where the app will be able to use its access, and whether it can change anything. */
const REACH: Record<GrantResource, string> = {
  readonly:
    'The app can only read. It cannot change anything, even where a permission mentions changes: its access works at the read-only tools of the space, and nowhere else.',
  space:
    'Within these permissions, the app can read and change the space, with the tools of the space and with its API. Its access does not work at the read-only tools.',
  studio:
    'Within these permissions, the app can read and change the space, with the tools of the space and with its API. Its access does not work at the read-only tools.',
  transfer:
    'Within these permissions, the app can copy the space into a folder on this computer, and the folder into the space. Its access works for that, and nowhere else.',
  user: 'Within these permissions, the app can read and write under your name, with the tools of your account and with its API.',
  unnamed:
    'Within these permissions, the app can read and change everything, with all tools and with the API.',
}

/** A space that the person can connect a client to. */
export interface SpaceOption {
  subdomain: string
  name: string
}

/** The consent page. */
export const consentPage = ({
  base,
  query,
  request,
  handle,
  proof,
  chosen,
  spaces,
  subdomain = preselectedSpace(spaces, request.subdomain),
  error = null,
}: ConsentRequest & {
  /** Handle of the signed-in account. */
  handle: string
  /** CSRF token of the form. */
  proof: string
  /** Scopes whose checkboxes are checked. */
  chosen: readonly string[]
  /** The spaces to choose from; null if the client is connected to the account. */
  spaces: readonly SpaceOption[] | null
  /** The subdomain of the selected space. If the person has only one space, it is selected by default. */
  subdomain?: string | null
  /** Why the last approval failed. */
  error?: ConsentError | null
}): string => {
  const texts = CONSENT[request.resource]
  return layout(
    base,
    'Connect an app',
    html`<h1>${texts.heading(html`<bdi>${request.client.name}</bdi>`, handle)}</h1>
${about(request)}
<form method="post" action="${base}/oauth/consent">
<input type="hidden" name="request" value="${query}">
<input type="hidden" name="proof" value="${proof}">
${error === null ? null : html`<p class="error" role="alert" id="error">${ERRORS[error](base)}</p>`}
${spaces && spaceChoice(spaces, subdomain)}
<fieldset${error === null ? null : html` aria-describedby="error"`}>
<legend>Permissions</legend>
${request.offered.map(
  scope => html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${chosen.includes(scope) ? html` checked` : null}>
<span>${texts.scopes[scope]} <code>${scope}</code></span></label>
`,
)}
</fieldset>
<p>${REACH[request.grantResource]}</p>
<p class="quiet">${texts.where}</p>
<p class="actions">
<button name="decision" value="deny">Deny</button>
<button class="main" name="decision" value="allow">Allow</button>
</p>
<p class="quiet">Signed in as @${handle}. <button class="link" name="decision" value="switch">Use another account</button></p>
</form>`,
  )
}

/** The space that the command was started for, or the only one. */
const preselectedSpace = (
  spaces: readonly SpaceOption[] | null,
  wanted: string | undefined,
): string | null => {
  if (spaces?.some(({ subdomain }) => subdomain === wanted)) return wanted!
  return spaces?.length === 1 ? spaces[0]!.subdomain : null
}

/** The field that selects a space. Nothing is preselected among several spaces, so that the choice is deliberate. */
const spaceChoice = (
  spaces: readonly SpaceOption[],
  selected: string | null,
): Markup => html`<label for="space">Space</label>
<select id="space" name="space">
${selected === null ? html`<option value="" selected>Choose a space</option>` : null}
${spaces.map(
  ({ subdomain, name }) =>
    html`<option value="${subdomain}"${subdomain === selected ? html` selected` : null}>${name} (${subdomain})</option>
`,
)}</select>
<p class="quiet"><button class="link" name="decision" value="create">Create a new space instead</button></p>`

/** The error page for an invalid request of a known client. It has a link that reports the error to the client. */
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
<p>Nothing was approved. If you go back to the app, the app is told what went wrong. If that does not help, contact the developer of the app.</p>
${about({ client, redirectUri })}
<p class="actions"><a class="button" href="${location}" rel="noreferrer">Go back to the app</a></p>`,
  )

/**
 * The error page for a request that the service cannot answer with a redirect to the app. For example, the client or
 * the redirect URI in the request is not valid.
 */
export const refusedPage = ({ base, reason }: Page & { reason: string }): string =>
  layout(
    base,
    'Cannot connect',
    html`<h1>Cannot connect this app</h1>
<p class="error" role="alert">${reason}.</p>
<p>Nothing was approved. Remove the connection in the app and add it again. If that does not help, contact the developer of the app.</p>`,
  )

/** Names the client, says whether its name is verified, and shows where it redirects. */
export const about = ({
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
