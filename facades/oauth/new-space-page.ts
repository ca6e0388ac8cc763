import { html } from '../../routers/api/html.ts'
import { limits } from '../../routers/api/rules.ts'
import { about, type ConsentRequest, layout } from './pages.ts'
import type { NewSpace, SpaceError } from './space-choice.ts'

/** The form in which a person creates the space that a client will be connected to. */
export const newSpacePage = ({
  base,
  query,
  request,
  proof,
  values,
  errors,
  site,
  canGoBack,
}: ConsentRequest & {
  /** CSRF token of the form. */
  proof: string
  values: NewSpace
  errors: readonly SpaceError[]
  /** The text before and after the subdomain in the address of the site. */
  site: { before: string; behind: string }
  /** Whether there are other spaces to choose from. */
  canGoBack: boolean
}): string => {
  const errorOf = (field: string) => errors.find(error => error.field === field)?.message
  const described = (field: string) =>
    errorOf(field) === undefined ? null : html` aria-invalid="true" aria-describedby="${field}-error"`
  const message = (field: string) =>
    errorOf(field) === undefined
      ? null
      : html`<p class="error" role="alert" id="${field}-error">${errorOf(field)}</p>`
  return layout(
    base,
    'Create a space',
    html`<h1>Create a space for <bdi>${request.client.name}</bdi></h1>
${about(request)}
${message('form')}
<form method="post" action="${base}/oauth/space">
<input type="hidden" name="request" value="${query}">
<input type="hidden" name="proof" value="${proof}">
<label for="name">Name</label>
<input id="name" name="name" value="${values.name}" required maxlength="${limits.spaceName}"${described('name')}>
${message('name')}
<label for="subdomain">Address</label>
<p class="quiet" id="address">${site.before}<b>address</b>${site.behind}. You can’t change it later.</p>
<input id="subdomain" name="subdomain" value="${values.subdomain}" required minlength="3" maxlength="30" autocapitalize="none" spellcheck="false"${described('subdomain') ?? html` aria-describedby="address"`}>
${message('subdomain')}
<p class="actions">
${
  canGoBack
    ? html`<a class="button" href="${base}/oauth/authorize?${query}">Back</a>`
    : html`<button name="decision" value="deny" formnovalidate>Deny</button>`
}
<button class="main" name="decision" value="create">Create space</button>
</p>
<p class="quiet">Next, you choose what the app is allowed to do there.</p>
</form>`,
  )
}
