import { newId } from '../../db/id.ts'
import type { ErrorCode } from '../../routers/api/errors.ts'
import { type Facts, facts } from '../contract/facts.ts'
import { operations } from '../contract/operations.ts'
import { fillAccount, fillSpace, type PathValues } from '../contract/resources.ts'
import { testPng } from '../support/png.ts'
import type { Person, TestService, TestSpace } from '../support/test-service.ts'

/** The account whose resources other callers must not reach. */
export interface Victim {
  person: Person
  space: TestSpace
  /** Values of all path parameters; `post_id` is a draft, `comment_id` a comment on a published post. */
  path: PathValues
  published: string
  ids: Record<
    | 'key'
    | 'token'
    | 'session'
    | 'passkey'
    | 'invite'
    | 'previewLink'
    | 'schedule'
    | 'report'
    | 'change'
    | 'deletion'
    | 'postChange'
    | 'deletedPost'
    | 'draftComment'
    | 'participant',
    string
  >
}

type Input = (victim: Victim) => Record<string, unknown> | undefined

/** Who may call a procedure. `input` returns an input that names resources of the {@link Victim}. */
export type Access =
  /** Anyone can call it: its result is the same for all callers, or a secret in the input authorizes the call. */
  | { kind: 'open' }
  /** Every account can call it, but only for itself: the input cannot name another account. */
  | { kind: 'self'; input: Input }
  /** The input names a space. Only participants of this space can call the procedure; with `ownersOnly`, no editors. */
  | { kind: 'space'; ownersOnly?: true; input: Input }
  /** Only the owner of the resource in the input can call the procedure. Other accounts get the error `refusal`. */
  | { kind: 'owner'; input: Input; refusal: ErrorCode }
  /** Only operators can call it. */
  | { kind: 'operator'; input: Input }

const open: Access = { kind: 'open' }
const self = (input: Input = () => undefined): Access => ({ kind: 'self', input })
const space = (input: Input = () => ({})): Access => ({
  kind: 'space',
  input: victim => ({ subdomain: victim.space.subdomain, ...input(victim) }),
})
const ownersOnly = (input?: Input): Access => ({ ...space(input), ownersOnly: true }) as Access
const owner = (refusal: ErrorCode, input: Input): Access => ({ kind: 'owner', refusal, input })
const operator = (input: Input = () => undefined): Access => ({ kind: 'operator', input })

const SECRET = 'a'.repeat(43)
const ID = '2222222222222222'
const IN_AN_HOUR = new Date(Date.now() + 60 * 60_000).toISOString()
const png = await testPng({ width: 256, height: 256 })
const draft: Input = ({ path }) => ({ post_id: path.post_id })
const page = { slug: 'foreign', kind: 'static', html: 'x' }
const unsaved: Input = ({ path }) => ({ kind: 'page', thing: path.page_id })
const body = { format: 'markdown', markdown: 'foreign' }

/** The procedures that are not exposed over REST. */
const others: Readonly<Record<string, Access>> = {
  'previews.origin': self(),
  'previews.page': space(() => ({ ...page, editor: 'one' })),
  'previews.part': space(() => ({ editor: 'one', name: 'foreign', html: 'x' })),
  'previews.record': space(({ path }) => ({
    editor: 'one',
    page_id: path.page_id,
    key: 'foreign',
    value: 1,
  })),
  'previewLinks.list': space(),
  'previewLinks.create': space(({ path }) => ({ thing: path.page_id })),
  'previewLinks.revoke': space(({ ids }) => ({ link_id: ids.previewLink })),
  'schedules.list': space(),
  'schedules.save': space(({ path }) => ({ thing: path.page_id, at: IN_AN_HOUR })),
  'schedules.delete': space(({ path }) => ({ page_id: path.page_id, at: IN_AN_HOUR })),
  'schedules.cancel': space(({ ids }) => ({ schedule_id: ids.schedule })),
  'editing.savePage': space(({ path }) => ({
    ...page,
    page_id: path.page_id,
    base: new Date().toISOString(),
  })),
  'editing.savePart': space(({ path }) => ({
    name: 'foreign',
    html: 'x',
    part_id: path.part_id,
    base: new Date().toISOString(),
  })),
  'editing.vocabulary': space(),
  'delivery.failingPages': space(),
  'delivery.pageTitles': space(),
  'live.follow': {
    kind: 'space',
    input: ({ space: { subdomain } }) => ({ subdomains: [subdomain] }),
  },
  'live.people': space(),
  'visits.get': space(),
  'visits.counting': space(),
  'visits.setCounting': ownersOnly(() => ({ is_on: false })),
  'records.list': space(),
  'records.create': space(() => ({ key: 'foreign', value: 1 })),
  'records.inspect': space(() => ({ value: 1 })),
  'files.mentions': space(({ path }) => ({ file_id: path.file_id })),
  'history.list': space(),
  'studio.checkTemplate': space(() => ({ html: '{% include "none" %}', part_name: 'foreign' })),
  'studio.renderPage': space(({ path }) => ({ page_id: path.page_id })),
  'space.update': ownersOnly(() => ({ name: 'Foreign', png: null })),
  'studio.search': space(() => ({ text: 'x' })),
  'files.createFromUrl': space(() => ({ url: 'https://client.test/foreign.txt' })),
  'uploadLinks.create': space(() => ({ name: 'foreign.txt' })),
  'uploadLinks.use': open,
  'edits.page': space(({ path }) => ({ page_id: path.page_id, edits: [{ old: 'x', new: 'foreign' }] })),
  'edits.part': space(({ path }) => ({ part_id: path.part_id, edits: [{ old: 'x', new: 'foreign' }] })),
  'edits.data': space(({ path }) => ({ key: path.key, edits: [{ old: 'record', new: 'foreign' }] })),
  'edits.many': space(() => ({
    pages: [{ slug: 'foreign', html: 'x' }],
    records: [{ key: 'foreign', value: 1 }],
  })),
  'history.get': space(({ ids }) => ({ change_id: ids.change })),
  'history.actors': space(),
  'history.lines': space(({ ids }) => ({ changes: [ids.change] })),
  'history.picture': space(() => ({ digest: 'f'.repeat(64) })),
  'history.compare': space(({ ids }) => ({ from: ids.change })),
  'history.restore': space(({ ids }) => ({ change_id: ids.change, side: 'after' })),
  'history.erase': ownersOnly(({ ids }) => ({ change_id: ids.deletion })),
  'history.previewUndo': space(() => ({ operation: 'none' })),
  'history.undo': space(() => ({ operation: 'none' })),
  'unsaved.get': space(unsaved),
  'unsaved.others': space(unsaved),
  'unsaved.keep': space(victim => ({ ...unsaved(victim), is_new: false, fields: page, base: null })),
  'unsaved.discard': space(unsaved),
  'unsaved.list': space(),
  'unsaved.share': space(unsaved),
  'unsaved.shared': space(() => ({ draft_id: '2222222222222222' })),
  'unsavedPosts.get': self(({ path }) => ({ thing: path.post_id })),
  'unsavedPosts.keep': owner('post_not_found', ({ path }) => ({
    thing: path.post_id,
    is_new: false,
    fields: { format: 'markdown', markdown: 'foreign', html: '', url: '', text: '', tags: [] },
    base: null,
  })),
  'unsavedPosts.discard': self(({ path }) => ({ thing: path.post_id })),
  'unsavedPosts.list': self(),
  'audit.ofSpace': ownersOnly(),
  'audit.ofAccount': self(() => ({})),
  'accounts.entry': open,
  'accounts.signUp': open,
  'accounts.me': self(),
  'accounts.setPassword': self(() => ({
    current_password: 'correct horse battery',
    password: 'another one, longer',
  })),
  'accounts.resetPassword': open,
  'accounts.leaving': self(),
  'accounts.usage': self(),
  'accounts.delete': owner('validation_failed', ({ person }) => ({ confirm: person.handle })),
  'sessions.create': open,
  'sessions.createFromLink': open,
  'sessions.createFromCode': open,
  'sessions.confirm': self(() => ({ password: 'correct horse battery' })),
  'sessions.confirmWithCode': self(() => ({ code: 'abcdef-abcdef-abcdef' })),
  'sessions.list': self(),
  'sessions.end': owner('session_not_found', ({ ids }) => ({ session_id: ids.session })),
  'sessions.endOthers': self(),
  'sessions.delete': self(),
  'links.look': open,
  'recovery.status': self(),
  'recovery.renew': self(),
  'passkeys.list': self(),
  'passkeys.startRegistration': self(),
  'passkeys.register': self(() => ({ response: {} })),
  'passkeys.rename': owner('passkey_not_found', ({ ids }) => ({ passkey_id: ids.passkey, label: 'foreign' })),
  'passkeys.delete': owner('passkey_not_found', ({ ids }) => ({ passkey_id: ids.passkey })),
  'passkeys.startSignIn': open,
  'passkeys.signIn': open,
  'passkeys.startConfirmation': self(),
  'passkeys.confirm': self(() => ({ response: {} })),
  'spaces.list': self(),
  'spaces.find': self(() => ({ text: '' })),
  'spaces.findItems': space(() => ({ text: 'x' })),
  'spaces.findTexts': space(() => ({ text: 'xy' })),
  'spaces.overview': space(),
  'spaces.naming': self(),
  'spaces.consider': self(({ space: { subdomain } }) => ({ subdomain })),
  'spaces.create': owner('subdomain_taken', ({ space: { subdomain } }) => ({ subdomain, name: 'Foreign' })),
  'spaces.rename': ownersOnly(() => ({ name: 'Foreign' })),
  'spaces.setIcon': ownersOnly(() => ({ png })),
  'spaces.removeIcon': ownersOnly(),
  'spaces.delete': ownersOnly(victim => ({ confirm: victim.space.subdomain })),
  'transfer.export': space(),
  'transfer.exportFiles': space(() => ({ file_ids: ['2222222222222222'] })),
  'transfer.list': space(),
  'transfer.exportItems': space(() => ({ paths: ['pages/index.liquid'] })),
  'transfer.change': space(),
  'transfer.import': space(() => ({ delete_missing: false })),
  'participants.list': space(),
  'participants.leave': space(),
  'participants.setRole': ownersOnly(({ ids }) => ({ participant_id: ids.participant, role: 'editor' })),
  'participants.remove': ownersOnly(({ ids }) => ({ participant_id: ids.participant })),
  'domains.list': space(),
  'domains.add': ownersOnly(() => ({ domain: 'foreign.example' })),
  'domains.remove': ownersOnly(() => ({ domain: 'foreign.example' })),
  'domains.choose': ownersOnly(() => ({ domain: null })),
  'domains.check': ownersOnly(() => ({ domain: 'foreign.example' })),
  'webhooks.list': ownersOnly(),
  'webhooks.add': ownersOnly(() => ({ url: 'https://foreign.example/', events: ['page.created'] })),
  'webhooks.remove': ownersOnly(() => ({ webhook_id: ID })),
  'webhooks.rotate': ownersOnly(() => ({ webhook_id: ID })),
  'webhooks.switch': ownersOnly(() => ({ webhook_id: ID, is_on: false })),
  'webhooks.test': ownersOnly(() => ({ webhook_id: ID })),
  'webhooks.deliveries': ownersOnly(() => ({ webhook_id: ID })),
  'webhooks.payload': ownersOnly(() => ({ webhook_id: ID, delivery_id: ID })),
  'webhooks.resend': ownersOnly(() => ({ webhook_id: ID, delivery_id: ID })),
  'invites.list': ownersOnly(),
  'invites.withdraw': ownersOnly(({ ids }) => ({ invite_id: ids.invite })),
  'invites.create': ownersOnly(),
  'invites.look': open,
  'invites.accept': self(() => ({ token: SECRET })),
  'keys.list': ownersOnly(),
  'keys.issue': ownersOnly(() => ({ label: 'foreign', scopes: ['pages'] })),
  'keys.rotate': ownersOnly(({ ids }) => ({ key_id: ids.key, overlap_seconds: 0 })),
  'keys.revoke': ownersOnly(({ ids }) => ({ key_id: ids.key })),
  'keys.usage': ownersOnly(({ ids }) => ({ key_id: ids.key })),
  'tokens.list': self(),
  'tokens.usage': owner('token_not_found', ({ ids }) => ({ token_id: ids.token })),
  'tokens.issue': self(() => ({ label: 'foreign', scopes: ['posts'] })),
  'tokens.rotate': owner('token_not_found', ({ ids }) => ({ token_id: ids.token, overlap_seconds: 0 })),
  'tokens.revoke': owner('token_not_found', ({ ids }) => ({ token_id: ids.token })),
  'writing.createDraft': self(() => body),
  'writing.updateDraft': owner('post_not_found', ({ path }) => ({ post_id: path.post_id, ...body })),
  'writing.publish': owner('post_not_found', draft),
  'writing.deleteDraft': owner('post_not_found', draft),
  'writing.list': self(() => ({})),
  'writing.find': self(() => ({ text: 'x' })),
  'writing.findTexts': self(() => ({ text: 'xy' })),
  'writing.get': owner('post_not_found', draft),
  'writing.revise': owner('post_not_found', ({ published }) => ({ post_id: published, ...body })),
  'writing.preview': self(() => body),
  'postHistory.list': owner('post_not_found', draft),
  'postHistory.get': owner('change_not_found', ({ ids }) => ({ change_id: ids.postChange })),
  'postHistory.restore': owner('change_not_found', ({ ids }) => ({ change_id: ids.postChange })),
  'postHistory.deleted': self(() => ({})),
  'postHistory.restoreDeleted': owner('post_not_found', ({ ids }) => ({ post_id: ids.deletedPost })),
  'comments.deleteOnOwnPost': owner('comment_not_found', ({ path }) => ({ comment_id: path.comment_id })),
  'discussions.get': owner('post_not_found', draft),
  'discussions.addComment': owner('post_not_found', victim => ({ ...draft(victim), body: 'Hello' })),
  'discussions.getComment': owner('comment_not_found', ({ path }) => ({ comment_id: path.comment_id })),
  'discussions.editComment': owner('comment_not_found', ({ path }) => ({
    comment_id: path.comment_id,
    body: 'Hello',
  })),
  'discussions.previewComment': self(() => ({ body: '*Hello*' })),
  'discussions.setClosed': owner('post_not_found', victim => ({ ...draft(victim), is_closed: false })),
  'follows.add': self(() => ({ handle: 'nobody_here' })),
  'follows.remove': self(() => ({ handle: 'nobody_here' })),
  'follows.list': self(() => ({})),
  'mutes.add': self(() => ({ handle: 'nobody_here' })),
  'mutes.remove': self(() => ({ handle: 'nobody_here' })),
  'mutes.list': self(() => ({})),
  'reports.createForComment': owner('comment_not_found', ({ ids }) => ({
    comment_id: ids.draftComment,
    reason: 'foreign',
  })),
  'reports.create': owner('post_not_found', ({ path }) => ({ post_id: path.post_id, reason: 'foreign' })),
  'notifications.list': self(() => ({})),
  'notifications.unread': self(),
  'notifications.markRead': self(() => ({ notification_id: '1' })),
  'notifications.markAllRead': self(() => ({ latest_id: '1' })),
  'instance.overview': operator(),
  'instance.check': operator(),
  'reports.list': operator(),
  'reports.dismiss': operator(({ ids }) => ({ report_id: ids.report })),
  'suspensions.add': operator(({ person }) => ({ handle: person.handle, reason: 'foreign' })),
  'suspensions.lift': operator(({ person }) => ({ handle: person.handle })),
  'suspensions.list': operator(() => ({})),
  'reports.takeDown': operator(({ ids }) => ({ report_id: ids.report })),
}

const bodyOf = (known: Facts | undefined) => known?.body?.() ?? {}

/** The procedures exposed over REST, classified by their path parameters. */
const accessOfOperations: [string, Access][] = operations.map(({ name, meta, pathParameters }) => {
  const input: Input = ({ path }) => ({
    ...Object.fromEntries(pathParameters.map(parameter => [parameter, path[parameter]])),
    ...bodyOf(facts[name]),
  })
  if (meta.api === 'space') return [name, { kind: 'space', input }]
  if (pathParameters.includes('comment_id')) return [name, owner('comment_not_found', input)]
  return [name, pathParameters.includes('post_id') ? owner('post_not_found', input) : self(input)]
})

/** Who can call each procedure, by its path in the router. */
export const classification: Readonly<Record<string, Access>> = {
  ...Object.fromEntries(accessOfOperations),
  ...others,
}

/** Returns the entries whose procedure does not exist. `names` lists all procedures. */
export const staleEntries = (names: readonly string[]) =>
  Object.keys(others).filter(name => !names.includes(name))

/** Creates an account that owns one resource of each kind. */
export const createVictim = async (service: TestService): Promise<Victim> => {
  const person = await service.signUp()
  const owned = await service.createSpace(undefined, person)
  const sql = service.core.database
  const [inSpace, ofAccount] = await Promise.all([fillSpace(owned), fillAccount(person)])
  const written = await person.writing.createDraft({ format: 'markdown', markdown: 'first' })
  await person.writing.updateDraft({ post_id: written.id, format: 'markdown', markdown: 'draft' })
  const draftComment = await person.comments.create({ post_id: written.id, body: 'on a draft' })
  const deleted = await person.writing.createDraft({ format: 'markdown', markdown: 'deleted' })
  await person.writing.deleteDraft({ post_id: deleted.id })
  await person.invites.create({ subdomain: owned.subdomain })
  const unsavedPage = { thing: newId(), is_new: true, fields: page, base: null } as const
  await person.unsaved.keep({ subdomain: owned.subdomain, kind: 'page', ...unsavedPage } as never)
  const link = await person.previewLinks.create({ subdomain: owned.subdomain, thing: unsavedPage.thing })
  const schedule = await person.schedules.save({
    subdomain: owned.subdomain,
    thing: unsavedPage.thing,
    at: IN_AN_HOUR,
  })
  const reporter = await service.signUp()
  await reporter.reports.create({ post_id: ofAccount.post_id!, reason: 'spam' })
  const { id: account } = await sql
    .selectFrom('accounts')
    .select('id')
    .where('handle', '=', person.handle)
    .executeTakeFirstOrThrow()
  const passkey = newId()
  await sql
    .insertInto('passkeys')
    .values({
      id: passkey,
      account_id: account,
      credential_id: passkey,
      public_key: Buffer.alloc(32),
      counter: '0',
      transports: [],
      backed_up: false,
      label: 'phone',
      created_at: new Date(),
    })
    .execute()
  const [[key], [token], [session], [invite]] = await Promise.all([
    person.keys.list({ subdomain: owned.subdomain }),
    person.tokens.list(),
    person.sessions.list(),
    person.invites.list({ subdomain: owned.subdomain }),
  ])
  const { changes } = await person.history.list({ subdomain: owned.subdomain })
  const { subdomain } = owned
  await person.data.put({ subdomain, key: 'deleted', value: 1 })
  await person.data.delete({ subdomain, key: 'deleted' })
  const [deletion] = (await person.history.list({ subdomain, thing: 'deleted' })).changes
  const other = await owned.join()
  const participants = await person.participants.list({ subdomain })
  const postHistory = await person.postHistory.list({ post_id: written.id })
  const report = await sql.selectFrom('reports').select('id').executeTakeFirstOrThrow()
  return {
    person,
    space: owned,
    path: { ...inSpace, ...ofAccount, post_id: written.id },
    published: ofAccount.post_id!,
    ids: {
      key: key!.id,
      change: changes[0]!.id,
      deletion: deletion!.id,
      token: token!.id,
      session: session!.id,
      passkey,
      invite: invite!.id,
      previewLink: link.id,
      schedule: schedule.id,
      report: report.id,
      postChange: postHistory.changes[0]!.id,
      deletedPost: deleted.id,
      draftComment: draftComment.id,
      participant: participants.find(({ handle }) => handle === other.handle)!.id,
    },
  }
}
