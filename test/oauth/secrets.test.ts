import { assert, property, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { isSecret, newSecret } from '../../routers/api/secret.ts'
import { familyOf, pairAfter } from '../../routers/credentials/oauth/secrets.ts'

const refresh = newSecret('refresh_token')
const family = familyOf(refresh)!

test.each(['user_token', 'space_key'] as const)(
  'the next %s is derived from the refresh token and the salt alone',
  kind => {
    assert(
      property(
        uint8Array({ minLength: 32, maxLength: 32 }),
        uint8Array({ minLength: 32, maxLength: 32 }),
        (a, b) => {
          const [one, same, other] = [a, a, b].map(salt =>
            pairAfter(kind, refresh, family, Buffer.from(salt)),
          )
          expect(same).toEqual(one)
          expect(other!.access === one!.access).toBe(Buffer.from(a).equals(b))
          expect(isSecret(kind, one!.access)).toBe(true)
          expect(familyOf(one!.refresh)).toBe(family)
          expect(one!.refresh).not.toBe(refresh)
        },
      ),
    )
  },
)

test('familyOf returns the half that successive refresh tokens share, and null for anything but a refresh token', () => {
  expect(family).toMatch(/^\w{32}$/)
  expect(familyOf(newSecret('user_token'))).toBeNull()
  expect(familyOf(`${refresh.slice(0, -1)}_`)).toBeNull()
  expect(familyOf('')).toBeNull()
})
