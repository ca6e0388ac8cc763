import type { Context } from '../../routers/api/context.ts'
import { html } from '../../routers/api/html.ts'
import { problemOf } from '../../routers/api/problem.ts'
import { limits } from '../../routers/api/rules.ts'
import { createCallerFactory } from '../../routers/api/trpc.ts'
import { spaces } from '../../routers/spaces/router.ts'
import { about, type ConsentRequest, layout } from './pages.ts'

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
${canGoBack ? null : html`<p>You own no space yet, and only owners connect apps to a space.</p>`}
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

const callSpaces = createCallerFactory(spaces)

/** The name and subdomain that the person typed for a new space. */
export interface NewSpace {
  name: string
  subdomain: string
}

/** Why a space could not be created, as a sentence beside the field, or above the form. */
export interface SpaceError {
  field: keyof NewSpace | 'form'
  message: string
}

/** The spaces that a person can connect a client to, by subdomain: those that the person owns. */
export const spacesOf = async (ctx: Context) =>
  (await callSpaces(ctx).list()).filter(({ role }) => role === 'owner')

/** The text before and after the subdomain in the address of a site. */
export const siteNaming = (ctx: Context) => callSpaces(ctx).naming()

/**
 * Creates a space for the person.
 *
 * @returns the errors, empty if the space was created; null if the session has ended in the meantime
 */
export const createSpace = async (ctx: Context, space: NewSpace): Promise<SpaceError[] | null> => {
  try {
    await callSpaces(ctx).create(space)
    return []
  } catch (error) {
    const problem = problemOf(error)
    const { errors = [] } = problem.circumstances
    if (problem.problem === 'validation_failed')
      return errors.map(({ field, message }) => ({ field: fieldOf(field), message: `It ${message}.` }))
    if (problem.problem === 'subdomain_taken')
      return [{ field: 'subdomain', message: 'This address is taken. Choose another one.' }]
    if (problem.problem === 'limit_reached' || problem.problem === 'account_suspended')
      return [{ field: 'form', message: problem.message }]
    if (problem.problem === 'sign_in_required') return null
    throw error
  }
}

const fieldOf = (field: string): SpaceError['field'] =>
  field === 'name' || field === 'subdomain' ? field : 'form'
