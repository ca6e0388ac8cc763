import { describe, expect, test } from 'vitest'
import { errorCodeOf } from '../support/problems.ts'
import { useTestService } from '../support/test-service.ts'
import { useAuditedSpace } from './support/audited-space.ts'

const service = useTestService()
const { space, ofSpace } = useAuditedSpace(service)

describe('the filters of an audit log', () => {
  const idsOf = ({ events }: { events: { id: string }[] }) => events.map(({ id }) => id)

  test('find a person by handle, and a key by its label', async () => {
    const other = await space.join()
    await other.keys.issue({ subdomain: space.subdomain, label: 'Nightly Sync', scopes: ['pages'] })
    const found = async (who: string) =>
      (await space.owner.audit.ofSpace({ subdomain: space.subdomain, who })).events.map(
        ({ kind, handle }) => [kind, handle],
      )
    const both = [
      ['key_issued', other.handle],
      ['participant_joined', other.handle],
    ]
    expect(await found(other.handle.toUpperCase())).toEqual(both)
    expect(await found('nightly')).toEqual(both.slice(0, 1))
    expect(await found('%')).toEqual([])
  })

  test('find refused calls by the label of their key', async () => {
    const reader = await space.apiWith('files')
    await reader.get('/pages')
    await service.core.countedEvents.flush()
    const [refusal] = await ofSpace('refusals')
    const { events } = await space.owner.audit.ofSpace({
      subdomain: space.subdomain,
      topic: 'refusals',
      who: refusal!.actor_label!,
    })
    expect(events).toEqual([refusal])
  })

  test('include the start of a period and exclude its end, in the logs of spaces and accounts', async () => {
    await space.owner.tokens.issue({ label: 'one', scopes: ['posts'] })
    const db = service.core.database
    for (const [log, table] of [
      [(range: object) => space.owner.audit.ofSpace({ subdomain: space.subdomain, ...range }), 'space_id'],
      [(range: object) => space.owner.audit.ofAccount(range), 'account_id'],
    ] as const) {
      const all = await log({})
      const [newest] = all.events
      const owned = await db
        .updateTable('audit_events')
        .set({ at: new Date(Date.UTC(2026, 0, 2)) })
        .where('position', '=', newest!.id)
        .returning(table)
        .executeTakeFirstOrThrow()
      expect(owned[table]).not.toBeNull()
      const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString()
      expect(idsOf(await log({ since: day(2), until: day(3) }))).toEqual([newest!.id])
      expect(idsOf(await log({ since: day(1), until: day(2) }))).toEqual([])
      expect(idsOf(await log({ since: day(3) }))).toEqual(idsOf(all).slice(1))
    }
  })

  test('apply to each page of a long log', async () => {
    const db = service.core.database
    const [event] = await ofSpace()
    const { position: _, ...row } = await db
      .selectFrom('audit_events')
      .where('position', '=', event!.id)
      .selectAll()
      .executeTakeFirstOrThrow()
    const values = Array.from({ length: 120 }, (_, n) => ({
      ...row,
      details: JSON.stringify({ label: n % 2 === 0 ? 'even' : 'odd' }),
    }))
    await db.insertInto('audit_events').values(values).execute()
    const first = await space.owner.audit.ofSpace({ subdomain: space.subdomain, who: 'even' })
    const second = await space.owner.audit.ofSpace({
      subdomain: space.subdomain,
      who: 'even',
      cursor: first.next,
    })
    expect([first.events.length, second.events.length, second.next]).toEqual([50, 10, null])
  })

  test.each([{ since: 'yesterday' }, { who: '' }, { who: 'x'.repeat(101) }])('refuse %o', async filter => {
    expect(await errorCodeOf(space.owner.audit.ofSpace({ subdomain: space.subdomain, ...filter }))).toBe(
      'validation_failed',
    )
  })
})
