import { html, type Markup } from '../../../routers/api/html.ts'
import { limits } from '../../../routers/api/rules.ts'
import type { Author } from '../../../routers/delivery/posts.ts'
import { publicPage } from './layout.ts'

/** What a reader reports. */
export interface Reported {
  author: Author
  /** The text of a comment; null for a post. */
  comment: string | null
}

const nameOf = ({ author, comment }: Reported): Markup =>
  html`${comment === null ? 'post' : 'comment'} by <span dir="auto">${author.name}</span>`

/**
 * The form that reports a post or a comment to the operators.
 *
 * @param post path of the post's page
 * @param refused the text that the reader sent, and why it was not accepted
 */
export const reportPage = (
  base: string,
  post: string,
  action: string,
  reported: Reported,
  refused: { text: string; reason: Markup } | null = null,
): string =>
  publicPage({
    base,
    title: 'Report · Space Site',
    isPersonal: true,
    head: NO_INDEX,
    main: html`<h1>Report the ${nameOf(reported)}</h1>
${reported.comment === null ? null : html`<blockquote class="reported" dir="auto">${reported.comment}</blockquote>`}
<p>The operators of this service read your report. ${reported.author.name} is not told who sent it. You are notified of their decision in the dashboard.</p>
<form class="write" method="post" action="${action}">
<label for="reason">What is wrong with it?</label>
<textarea id="reason" name="reason" rows="4" required aria-describedby="${refused ? 'reason-error reason-hint' : 'reason-hint'}"${refused ? html` aria-invalid="true" autofocus` : null}>
${refused?.text ?? ''}</textarea>
${refused ? html`<p class="error" id="reason-error" role="alert">${refused.reason}</p>` : null}
<p class="hint" id="reason-hint">Up to ${limits.reportReason} characters.</p>
<p class="actions"><button class="primary">Send report</button> <a href="${post}">Cancel</a></p>
</form>`,
  })

/** Confirms that a report was sent. */
export const reportSentPage = (base: string, post: string, reported: Reported): string =>
  publicPage({
    base,
    title: 'Report sent · Space Site',
    isPersonal: true,
    head: NO_INDEX,
    main: html`<h1>Report sent</h1>
<p>Thank you. The operators will look at the ${nameOf(reported)}.</p>
<p><a href="${post}">Back to the post</a></p>`,
  })

const NO_INDEX = html`<meta name="robots" content="noindex">`
