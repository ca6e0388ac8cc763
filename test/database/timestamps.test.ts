import { expect, test } from 'vitest'
import { parseTimestamp } from '../../db/timestamp.ts'

test.each([
  ['2026-11-25 07:23:37.746+00', '2026-11-25T07:23:37.746Z'],
  ['2026-11-25 07:23:37.74+00', '2026-11-25T07:23:37.740Z'],
  ['2026-11-25 07:23:37.7+00', '2026-11-25T07:23:37.700Z'],
  ['2026-11-25 07:23:37+00', '2026-11-25T07:23:37.000Z'],
  ['2026-11-25 07:23:37.746123+00', '2026-11-25T07:23:37.746Z'],
  ['2026-11-25 09:23:37.746+02', '2026-11-25T07:23:37.746Z'],
  ['2026-11-25 12:53:37+05:30', '2026-11-25T07:23:37.000Z'],
])('the time %s is parsed as %s', (text, iso) => {
  const time = parseTimestamp(text)
  expect(time.toISOString()).toBe(iso)
  expect(time.getTime()).toBe(Date.parse(iso))
  expect(JSON.stringify({ time })).toBe(JSON.stringify({ time: iso }))
})
