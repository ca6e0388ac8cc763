import { limits } from '../../../routers/api/rules.ts'
import type { Inputs, Outputs } from '../api.ts'

export type SpaceWebhook = Outputs['webhooks']['list'][number]
export type WebhookDelivery = Outputs['webhooks']['deliveries'][number]
export type WebhookEvent = Inputs['webhooks']['add']['events'][number]

/** The events that can be chosen, by what they are about. */
export const EVENTS_BY_KIND: readonly [
  title: string,
  events: readonly (readonly [WebhookEvent, string])[],
][] = [
  [
    'Pages',
    [
      ['page.created', 'created'],
      ['page.changed', 'changed'],
      ['page.deleted', 'deleted'],
    ],
  ],
  [
    'Parts',
    [
      ['part.created', 'created'],
      ['part.changed', 'changed'],
      ['part.deleted', 'deleted'],
    ],
  ],
  [
    'Records',
    [
      ['record.created', 'created'],
      ['record.changed', 'changed'],
      ['record.deleted', 'deleted'],
    ],
  ],
  [
    'Files',
    [
      ['file.created', 'created'],
      ['file.changed', 'changed'],
      ['file.deleted', 'deleted'],
    ],
  ],
]

export const ALL_EVENTS = EVENTS_BY_KIND.flatMap(([, events]) => events.map(([event]) => event))

/** Which changes a webhook is told about: "Pages created and deleted, all of records". */
export const describeEvents = (chosen: readonly string[]): string => {
  if (chosen.length === ALL_EVENTS.length) return 'Everything'
  const kinds = EVENTS_BY_KIND.flatMap(([title, events]) => {
    const actions = events.filter(([event]) => chosen.includes(event)).map(([, action]) => action)
    if (actions.length === 0) return []
    return actions.length === events.length ? `${title}: all` : `${title}: ${actions.join(', ')}`
  })
  return kinds.join('; ')
}

/** The state of a webhook in a word or two, and the color of its badge. */
export const badgeOf = ({
  state,
  failing_since: failing,
}: SpaceWebhook): { label: string; color: string } => {
  if (state === 'untested') return { label: 'Waits for a test', color: 'yellow' }
  if (state === 'off') return { label: 'Off', color: 'gray' }
  return failing === null ? { label: 'Active', color: 'green' } : { label: 'Failing', color: 'red' }
}

/** What the state of a webhook means, and what to do. */
export const sentenceOf = ({ state, off_reason: reason, failing_since: failing }: SpaceWebhook): string => {
  if (state === 'untested')
    return 'Nothing is sent yet. Send a test: once the address accepts it, changes are sent.'
  if (state === 'off')
    return {
      person: 'Switched off. Switched on again, it goes on where it stopped.',
      gone: 'The address answered that it is gone (410). Switched on again, it goes on where it stopped.',
      failing: `The address did not accept anything for ${limits.webhookRetries.days} days. Switched on again, it goes on where it stopped.`,
    }[reason!]
  if (failing !== null)
    return `The address does not accept what is sent. It is tried again, less and less often, for ${limits.webhookRetries.days} days.`
  return 'Changes are sent within a second or two.'
}

/** The result of a delivery in a word, and the color of its badge. */
export const resultOf = ({ state, status, attempts }: WebhookDelivery): { label: string; color: string } => {
  const answer = status === null ? 'No answer' : String(status)
  if (state === 'waiting')
    return attempts === 0
      ? { label: 'Waiting', color: 'gray' }
      : { label: `${answer}, waiting`, color: 'yellow' }
  if (state === 'paused') return { label: `${answer}, paused`, color: 'yellow' }
  return state === 'delivered' ? { label: answer, color: 'green' } : { label: answer, color: 'red' }
}
