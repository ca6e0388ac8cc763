import { html, type Markup } from '../../../routers/api/html.ts'
import { limits } from '../../../routers/api/rules.ts'
import { publicPage } from './layout.ts'

/**
 * The page on which an operator suspends an account, or lifts its suspension.
 *
 * @param refused the text that the operator sent, and why it was not accepted
 */
export const suspensionPage = (
  base: string,
  { handle, isSuspended }: { handle: string; isSuspended: boolean },
  refused: { text: string; reason: Markup } | null = null,
): string => {
  const profile = `${base}/@${handle}`
  return publicPage({
    base,
    title: 'Suspension · Space Site',
    isPersonal: true,
    head: html`<meta name="robots" content="noindex">`,
    main: html`<h1>${isSuspended ? 'Suspension of' : 'Suspend'} @${handle}</h1>
<p>A suspended account can sign in, and read, export and delete its own content. It cannot post, comment, like, follow or report. Its posts and comments are hidden; its spaces stay.</p>
${isSuspended ? html`<form method="post" action="${profile}/suspension"><p class="actions"><button class="primary" name="lift" value="yes">Lift suspension</button></p></form>` : null}
<form class="write" method="post" action="${profile}/suspension">
<label for="reason">${isSuspended ? 'New reason' : 'Reason'}</label>
<textarea id="reason" name="reason" rows="4" required aria-describedby="${refused ? 'reason-error reason-hint' : 'reason-hint'}"${refused ? html` aria-invalid="true" autofocus` : null}>
${refused?.text ?? ''}</textarea>
${refused ? html`<p class="error" id="reason-error" role="alert">${refused.reason}</p>` : null}
<p class="hint" id="reason-hint">@${handle} will see it. Up to ${limits.reportReason} characters.</p>
<p class="actions"><button class="danger">${isSuspended ? 'Change reason' : 'Suspend account'}</button> <a href="${profile}">Cancel</a></p>
</form>`,
  })
}
