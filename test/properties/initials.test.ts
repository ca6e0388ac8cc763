import { expect, test } from 'vitest'
import { initialsOf } from '../../facades/admin/icon/initials.ts'

test.each([
  ['The Garden Club', 'TG'],
  ['garden', 'GA'],
  ['x', 'X'],
  ['  spaced   out  ', 'SO'],
  ['👩🏽‍🌾 Farm', '👩🏽‍🌾F'],
  ['🇫🇷', '🇫🇷'],
  ['e\u0301cole', 'E\u0301C'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
