import { html, type Markup } from '../../routers/api/html.ts'
import type { Problem } from '../../routers/api/problem.ts'
import { about, type ConsentRequest, layout } from './pages.ts'

/**
 * The account of a signed-in person who must confirm their identity. The person signed in so long ago that they cannot
 * approve a client until they confirm their identity.
 */
export interface KnownAccount {
  handle: string
  hasPassword: boolean
}

/** The sign-in page, which comes before consent. */
export const signInPage = (
  page: ConsentRequest & {
    /** URL of the client. Opening it tells the client that the person denied the request. */
    cancel: string
    /** Why the last attempt failed. */
    problem: Problem | null
    /** The account whose owner must confirm their identity; null if nobody is signed in. */
    account: KnownAccount | null
  },
): string => {
  const { base, query, request, cancel, problem, account } = page
  const error = problem && messageOf(problem, account)
  const signInElsewhere = (text: string) =>
    html`<a href="${base}/admin/sign-in?authorize=${encodeURIComponent(query)}${account ? '&again=true' : ''}">${text}</a>`
  const form = (fields: Markup, action: string) => html`<form method="post" action="${base}/oauth/sign-in">
<input type="hidden" name="request" value="${query}">
${fields}
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="200">
<p class="actions">
<a class="button" href="${cancel}">Cancel</a>
<button class="main">${action}</button>
</p>
</form>`
  return layout(
    base,
    error !== null ? 'Sign-in failed' : account ? 'Confirm it’s you' : 'Sign in',
    html`<h1>${account ? 'Confirm it’s you' : 'Sign in'} to connect <bdi>${request.client.name}</bdi></h1>
${about(request)}
${error === null ? null : html`<p class="error" role="alert" id="error">${error}</p>`}
${account ? confirmation(account) : null}
${
  account
    ? account.hasPassword
      ? form(html`<input type="hidden" name="handle" value="${account.handle}">`, 'Continue')
      : withoutPassword(cancel)
    : form(
        html`<label for="handle">Handle</label>
<input id="handle" name="handle" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="50">`,
        'Sign in',
      )
}
<p class="quiet">${signInElsewhere(
      account
        ? 'Use a passkey, a recovery code or another account'
        : 'Sign in another way or create an account',
    )}. You will come back here afterwards.</p>`,
  )
}

const confirmation = ({ handle }: KnownAccount): Markup =>
  html`<p>You signed in as @${handle} a while ago. The app keeps its access until someone revokes it, so confirm that it is you first.</p>`

const withoutPassword = (cancel: string): Markup =>
  html`<p>This account has no password, so sign in again in another way.</p>
<p class="actions"><a class="button" href="${cancel}">Cancel</a></p>`

/** The status of a failed sign-in. */
export const statusOf = ({ problem }: Problem): number =>
  problem === 'rate_limited' ? 429 : problem === 'sign_in_failed' ? 401 : 422

const messageOf = ({ problem, message }: Problem, account: KnownAccount | null) =>
  problem === 'rate_limited'
    ? message
    : account
      ? 'This is not your password.'
      : 'The handle or password is wrong.'
