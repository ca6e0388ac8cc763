import { html, Markup } from '../../../routers/api/html.ts'
import { userRules } from '../../../routers/api/rules.ts'
import { inlineScript } from '../../http/page/inline-script.ts'
import { textField } from './layout.ts'

/** The script of the comment form: updates the preview while the person writes. */
export const previewScript = inlineScript(new URL('comment-preview.js', import.meta.url))

/** A comment that was sent but not saved. */
export interface UnsavedComment {
  /** The text as it was sent. */
  text: string
  /** Why the comment was not saved, as a sentence; null for a preview. */
  reason: Markup | null
  /** The comment as readers would see it, as HTML that this service generated; null unless this is a preview. */
  preview: string | null
}

/** Inserts HTML that this service generated from the Markdown of a comment. Any HTML in the Markdown was escaped. */
export const richText = (generated: string): Markup =>
  html`<div class="rich" dir="auto">${new Markup(generated)}</div>`

/** Says that a text was not saved because the session has ended. */
export const signedOut = (base: string, what: 'comment' | 'change'): Markup =>
  html`You are signed out, so your ${what} was not saved. <a href="${base}/admin/sign-in" target="_blank" rel="noopener">Sign in</a> in a new tab, then send it again.`

interface CommentForm {
  /** Where the form is sent. */
  action: string
  /** Where the script gets the preview. */
  preview: string
  label: string
  button: string
  /** The page to which the person returns without a change; undefined if the form is part of that page. */
  cancel?: string
}

/** The form for a new comment on the post at a path. */
export const newComment = (path: string): CommentForm => ({
  action: `${path}/comments#comment-form`,
  preview: `${path}/comments/preview`,
  label: 'Your comment',
  button: 'Comment',
})

/** Path of the page on which the author of a comment edits it. */
export const editCommentPath = (base: string, postId: string, id: string): string =>
  `${base}/posts/${postId}/comments/${id}/edit`

/** A form for the text of a comment, with a preview. */
export const commentForm = (form: CommentForm, unsaved: UnsavedComment | null, text = ''): Markup => {
  const preview = unsaved?.preview ?? null
  return html`<form class="write" method="post" action="${form.action}" id="comment-form">
${preview === null ? null : html`<section class="preview" aria-labelledby="preview-title" role="status"><h2 id="preview-title">Preview</h2>\n${richText(preview)}</section>`}
${textField({
  id: 'comment-body',
  name: 'body',
  about: 'comment',
  label: form.label,
  hint: html`Markdown works: <code>*emphasis*</code>, <code>[text](https://…)</code>, <code>- list</code>. Up to ${userRules.comment.body.max_length} characters. Everyone can read it.`,
  text: unsaved?.text ?? text,
  reason: unsaved?.reason ?? null,
  hasFocus: unsaved !== null,
})}
<p class="actions"><button class="primary">${form.button}</button> <button name="preview" value="yes">Preview</button>${form.cancel ? html` <a href="${form.cancel}">Cancel</a>` : null}</p>
<script data-address="${form.preview}">${previewScript.code}</script>
</form>`
}
