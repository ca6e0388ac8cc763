import type { Addresses } from '../../../routers/api/addresses.ts'
import type { Core } from '../../../routers/api/context.ts'
import { html, type Markup } from '../../../routers/api/html.ts'
import type { PostWithComments, PublicComment, PublicPost } from '../../../routers/delivery/posts.ts'
import { basePath } from '../../http/base-path.ts'
import { SCRIPTED_FEATURES, SCRIPTED_SANDBOX } from '../../shared/sandbox.ts'
import { commentForm, editCommentPath, newComment, richText, type UnsavedComment } from './comment-form.ts'
import { followForm } from './following.ts'
import { NO_INDEX, publicPage } from './layout.ts'
import { muteLink } from './muting.ts'
import { byline, postArticle, time } from './post.ts'

/** A post with its comments. Signed-in readers can like it, comment, and report it. */
export const postPage = (
  { addresses, signUp }: Pick<Core, 'addresses' | 'signUp'>,
  found: PostWithComments,
  unsaved: UnsavedComment | null = null,
): string => {
  const { post, title, hiddenDocument, isHidden, isClosed, comments, isFromStart, next } = found
  // Only operators can see a hidden post, and nobody can like it or comment on it.
  const reader = isHidden ? null : found.reader
  const name = title || `A post by ${post.author.name}`
  const base = basePath(addresses.apiRoot)
  const path = `${base}/posts/${post.id}`
  return publicPage({
    base,
    title: `${name} · ${post.author.name} · Space Site`,
    isPersonal: found.reader !== null,
    head: html`<link rel="canonical" href="${addresses.postPage(post.id)}">
<meta property="og:type" content="article">
<meta property="og:title" content="${name}">`,
    main: html`<h1 class="quiet">A post by <span dir="auto">${post.author.name}</span></h1>
${postArticle(post, addresses, { shown: hiddenDocument === null ? null : hiddenContent(hiddenDocument), fullPage: isHidden ? null : `${path}/full` })}
${isHidden ? html`<p class="empty">The account of the author is suspended, so only operators can see this post.</p>` : reader ? reactions(base, post, reader) : invitation(base, post.id, isClosed, signUp)}
<section id="comments" aria-labelledby="comments-title">
<h2 id="comments-title">Comments</h2>
${post.commentCount === 0 ? html`<p class="empty">No comments yet.</p>` : null}
${isFromStart ? null : html`<p class="more"><a href="${path}#comments">Show comments from the start</a></p>`}
${comments.map(comment => commentArticle(comment, post.id, base, reader))}
${next ? html`<p class="more"><a href="${path}?from=${next}#comments" rel="next">Later comments</a></p>` : null}
${reader?.hidesComments ? html`<p class="empty">Comments by people you blocked are hidden.</p>` : null}
${isHidden ? null : isClosed ? closedNotice(unsaved, reader) : reader && !canWrite(reader) ? notice(reasonOf(reader, base), unsaved) : reader || unsaved ? commentForm(newComment(path), unsaved) : null}
${reader?.isAuthor ? closingForm(path, isClosed) : null}
</section>`,
  })
}

/** A post alone, as large as the window, with its author and a way back. */
export const fullPostPage = (addresses: Addresses, { post, title, reader }: PostWithComments): string => {
  const base = basePath(addresses.apiRoot)
  const { author } = post
  const name = title || `A post by ${author.name}`
  return publicPage({
    base,
    title: `${name} · ${author.name} · Space Site`,
    isPersonal: reader !== null,
    head: html`${NO_INDEX}
<link rel="canonical" href="${addresses.postPage(post.id)}">`,
    look: 'full',
    main: html`<h1 class="hidden">${name}</h1>
<p class="bar"><a href="${base}/posts/${post.id}"><span aria-hidden="true">← </span>Back to the post</a> <a class="author" href="${base}/@${author.handle}" rel="author"><b dir="auto">${author.name}</b> @${author.handle}</a></p>
<iframe src="${addresses.post(post.id)}/" title="${name}" sandbox="${SCRIPTED_SANDBOX}" allow="${SCRIPTED_FEATURES}"></iframe>`,
  })
}

type Reader = NonNullable<PostWithComments['reader']>

/** The document of an HTML post, without scripts. The policy of the page also blocks the document's styles. */
const hiddenContent = (document: string): Markup =>
  html`<iframe srcdoc="${document}" title="The post, without scripts and styles" sandbox=""></iframe>`

/** Whether the reader can like the post and comment on it, as far as that depends on their account. */
const canWrite = ({ isBlocked, isSuspended }: Reader) => !isBlocked && !isSuspended

/** Says why the reader cannot comment. */
const reasonOf = ({ isSuspended }: Reader, base: string): Markup =>
  isSuspended
    ? html`Your account is suspended, so you can’t comment. <a href="${base}/admin">Your dashboard</a> says why.`
    : html`You can’t comment on this post.`

const reactions = (base: string, { id, author }: PublicPost, reader: Reader): Markup => {
  const { hasLiked, isAuthor, followsAuthor, hasBlockedAuthor, isBlocked, isSuspended } = reader
  return html`<div class="reactions">
${hasLiked || canWrite(reader) ? html`<form method="post" action="${base}/posts/${id}/like"><button class="toggle" name="like" value="${hasLiked ? 'no' : 'yes'}" aria-pressed="${hasLiked ? 'true' : 'false'}"><span aria-hidden="true">${hasLiked ? '♥' : '♡'}</span> Like</button></form>` : null}
${isAuthor || isBlocked || hasBlockedAuthor || (isSuspended && !followsAuthor) ? null : followForm(base, author, followsAuthor, id)}
${isAuthor ? null : muteLink(base, author, id)}
${isAuthor || isSuspended ? null : html`<a class="minor" href="${base}/posts/${id}/report">Report post</a>`}
</div>`
}

const invitation = (base: string, id: string, isClosed: boolean, signUp: Core['signUp']): Markup =>
  html`<p class="empty"><a href="${base}/admin/sign-in?post=${id}">Sign in</a>${signUp === 'open' ? html` or <a href="${base}/admin/sign-up?post=${id}">create an account</a>` : null} to like this post${isClosed ? '' : ' or to comment'}.</p>`

const commentArticle = (
  { id, author, body, html: formatted, createdAt, isEdited, isOwn }: PublicComment,
  postId: string,
  base: string,
  reader: Reader | null,
): Markup => html`<article class="comment" id="comment-${id}">
${byline(author, base, time(createdAt), ...(isEdited ? [html` · edited`] : []))}
${formatted === null ? html`<p dir="auto">${body}</p>` : richText(formatted)}
${reader && commentActions({ id, author, isOwn }, postId, base, reader)}
</article>`

/** Deleting asks for confirmation without a script: the button is in a closed `details` element. */
const commentActions = (
  { id, author, isOwn }: Pick<PublicComment, 'id' | 'author' | 'isOwn'>,
  postId: string,
  base: string,
  { isAuthor, isSuspended }: Reader,
): Markup => html`<div class="comment-actions">
${isOwn && !isSuspended ? html`<a class="minor" href="${editCommentPath(base, postId, id)}">Edit<span class="hidden"> your comment</span></a>` : null}
${
  isOwn || isAuthor
    ? html`<details><summary>Delete<span class="hidden"> the comment by ${author.name}</span></summary>
<form class="confirm" method="post" action="${base}/posts/${postId}/comments/${id}/delete">
<span>This can’t be undone.</span>
<button class="danger">Delete comment</button>
</form></details>`
    : null
}
${isOwn ? null : muteLink(base, author, postId)}
${isOwn || isSuspended ? null : html`<a class="minor" href="${base}/posts/${postId}/report?comment=${id}">Report<span class="hidden"> the comment by ${author.name}</span></a>`}
</div>`

/** Says that nobody can comment. */
const closedNotice = (unsaved: UnsavedComment | null, reader: Reader | null): Markup =>
  notice(html`${reader?.isAuthor ? 'You have' : 'The author has'} closed this post for comments.`, unsaved)

/**
 * Shows a sentence in place of the comment form. If the person has just sent a comment that was refused or previewed,
 * also shows the text of that comment, so that the text is not lost.
 */
const notice = (
  sentence: Markup,
  unsaved: UnsavedComment | null,
): Markup => html`<p class="empty">${sentence}</p>
${
  unsaved
    ? html`<div class="write" id="comment-form">
${unsaved.reason === null ? null : html`<p class="error" role="alert">${unsaved.reason}</p>`}
<blockquote class="reported" dir="auto">${unsaved.text}</blockquote>
</div>`
    : null
}`

/** Lets the author close the post for comments, or open it again. */
const closingForm = (
  path: string,
  isClosed: boolean,
): Markup => html`<form class="closing" method="post" action="${path}/closing">
<button name="closed" value="${isClosed ? 'no' : 'yes'}" aria-describedby="closing-hint">${isClosed ? 'Open for comments' : 'Close for comments'}</button>
<span id="closing-hint">${isClosed ? 'People can comment again after that.' : 'Existing comments stay, and nobody can add another one.'}</span>
</form>`
