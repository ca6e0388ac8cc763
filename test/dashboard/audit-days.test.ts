import { afterEach, expect, test } from 'vitest'
import { filterOf } from '../../facades/admin/audit/filter.ts'
import { spaceAuditSearch } from '../../facades/admin/view-search.ts'

const { TZ } = process.env
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

const between = (zone: string, from: string | undefined, to: string | undefined) => {
  process.env.TZ = zone
  const { since, until } = filterOf(spaceAuditSearch({ from, to }))
  return [since, until]
}

test.each([
  ['UTC', '2026-03-05', '2026-03-06', '2026-03-05T00:00:00.000Z', '2026-03-07T00:00:00.000Z'],
  // East of Greenwich, a day begins before the day in UTC, and west of it later.
  ['Asia/Tokyo', '2026-03-05', '2026-03-05', '2026-03-04T15:00:00.000Z', '2026-03-05T15:00:00.000Z'],
  ['America/New_York', '2026-01-31', '2026-01-31', '2026-01-31T05:00:00.000Z', '2026-02-01T05:00:00.000Z'],
  // The day on which the clocks go forward has 23 hours.
  ['Europe/Berlin', '2026-03-29', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
])(
  'in the zone %s, the audit log from %s to %s has whole days of that zone',
  (zone, from, to, since, until) => {
    expect(between(zone, from, to)).toEqual([since, until])
  },
)

test('the audit log has no first or last day if none is given', () => {
  expect(between('Asia/Tokyo', undefined, undefined)).toEqual([undefined, undefined])
})
