import { describe, expect, test } from 'vitest'
import { testPng } from '../support/png.ts'
import { errorCodeOf, errorFields } from '../support/problems.ts'
import { uniqueName, useTestService } from '../support/test-service.ts'

const service = useTestService()
const elsewhere = useTestService({ siteDomain: 'garden.example', filesDomain: 'uploads.example:8443' })

describe('creating a space', () => {
  test.each(['abc', 'a-b', '0a0', 'x'.repeat(30), '  trimmed  '])(
    'accepts the subdomain %j',
    async subdomain => {
      const person = await service.signUp()
      const space = await person.spaces.create({ subdomain, name: 'A name' })
      expect(space.url).toBe(`http://${subdomain.trim()}.sites.localhost`)
    },
  )

  test.each(['ab', 'x'.repeat(31), '-ab', 'ab-', 'aBc', 'a_b', 'a.b', ''])(
    'rejects the subdomain %j',
    async subdomain => {
      const person = await service.signUp()
      expect(await errorFields(person.spaces.create({ subdomain, name: 'n' }))).toEqual(['subdomain'])
    },
  )

  test.each(['www', 'api', 'admin', 'mail', 'sites', 'pages', 'localhost'])(
    'rejects the reserved name %s',
    async subdomain => {
      const person = await service.signUp()
      expect(await errorFields(person.spaces.create({ subdomain, name: 'n' }))).toEqual(['subdomain'])
    },
  )

  test.each(['garden', 'uploads', 'example'])(
    'rejects %s, which is part of the address of the service',
    async subdomain => {
      const person = await elsewhere.signUp()
      expect(await errorFields(person.spaces.create({ subdomain, name: 'n' }))).toEqual(['subdomain'])
      expect(await person.spaces.consider({ subdomain })).toBe('reserved')
    },
  )

  test('rejects the subdomain of another space', async () => {
    const { subdomain } = await service.createSpace()
    const other = await service.signUp()
    expect(await errorCodeOf(other.spaces.create({ subdomain, name: 'n' }))).toBe('subdomain_taken')
  })

  test.each([
    '',
    '   ',
    'x'.repeat(61),
    'back\bspace',
    'two\nlines',
    'two\u2028lines',
    'right\u202Eleft',
    'isolate\u2066d',
  ])('rejects the name %j, and so does renaming a space', async name => {
    const { owner, subdomain } = await service.createSpace()
    expect(await errorFields(owner.spaces.create({ subdomain: uniqueName('s'), name }))).toEqual(['name'])
    expect(await errorFields(owner.spaces.rename({ subdomain, name }))).toEqual(['name'])
  })

  test('needs a session', async () => {
    const call = service.anonymous().spaces.create({ subdomain: uniqueName('s'), name: 'n' })
    expect(await errorCodeOf(call)).toBe('sign_in_required')
  })
})

describe('choosing a subdomain', () => {
  test('shows whether a subdomain is available, and the address of the site', async () => {
    const { subdomain, owner } = await service.createSpace()
    const states = await Promise.all(
      [subdomain, uniqueName('free'), 'admin'].map(name => owner.spaces.consider({ subdomain: name })),
    )
    expect(states).toEqual(['taken', 'free', 'reserved'])
    const { before, behind } = await owner.spaces.naming()
    const [space] = await owner.spaces.list()
    expect(before + subdomain + behind).toBe(space!.url)
  })

  test('rejects invalid subdomains and anonymous callers', async () => {
    const person = await service.signUp()
    expect(await errorFields(person.spaces.consider({ subdomain: 'a_b' }))).toEqual(['subdomain'])
    expect(await errorCodeOf(service.anonymous().spaces.consider({ subdomain: 'abc' }))).toBe(
      'sign_in_required',
    )
    expect(await errorCodeOf(service.anonymous().spaces.naming())).toBe('sign_in_required')
  })
})

describe('a space', () => {
  test('can be renamed; the API shows the new name immediately', async () => {
    const { owner, subdomain, api } = await service.createSpace()
    await owner.spaces.rename({ subdomain, name: '  New name ' })
    expect((await api.get('')).body).toMatchObject({ name: 'New name' })
  })

  test('is for participants only', async () => {
    const { subdomain } = await service.createSpace()
    const outsider = await service.signUp()
    expect(await errorCodeOf(outsider.spaces.rename({ subdomain, name: 'x' }))).toBe('space_not_found')
    expect(await errorCodeOf(outsider.pages.list({ subdomain }))).toBe('space_not_found')
    expect(await errorCodeOf(outsider.keys.list({ subdomain }))).toBe('space_not_found')
  })

  test('gives its creator every scope', async () => {
    const { owner, subdomain } = await service.createSpace()
    const { id } = await owner.pages.create({ subdomain, slug: 'home', html: 'x' })
    expect((await owner.pages.get({ subdomain, page_id: id })).html).toBe('x')
    expect((await owner.space.get({ subdomain })).scopes).toHaveLength(4)
  })

  test('is deleted only with its subdomain as confirmation; its keys are deleted with it', async () => {
    const { owner, subdomain, api } = await service.createSpace()
    expect(await errorFields(owner.spaces.delete({ subdomain, confirm: 'no' }))).toEqual(['confirm'])
    await owner.spaces.delete({ subdomain, confirm: subdomain })
    expect((await api.get('')).status).toBe(401)
    expect(await owner.spaces.list()).toEqual([])
  })
})

describe('the icon of a space', () => {
  test('has a new URL each time it is set, and no URL after its removal', async () => {
    const { owner, subdomain, api } = await service.createSpace()
    const png = await testPng({ width: 256, height: 256 })
    const first = await owner.spaces.setIcon({ subdomain, png })
    const second = await owner.spaces.setIcon({ subdomain, png })
    expect(second.icon_url).not.toBe(first.icon_url)
    expect((await api.get('')).body).toMatchObject({ icon_url: second.icon_url })

    const path = new URL(second.icon_url ?? '').pathname
    expect(path).toMatch(/^\/_icons\/[2-9a-z]{16}\.png$/)
    const served = await fetch(service.root + path)
    expect(served.headers.get('content-type')).toBe('image/png')
    expect(served.headers.get('cache-control')).toMatch(/immutable/)

    expect((await owner.spaces.removeIcon({ subdomain })).icon_url).toBeNull()
    expect((await fetch(service.root + path)).status).toBe(404)
  })

  test.each([
    ['too small', { width: 255, height: 256 }],
    ['too large', { width: 257, height: 257 }],
  ])('is rejected when it is %s', async (_, size) => {
    const { owner, subdomain } = await service.createSpace()
    const call = owner.spaces.setIcon({ subdomain, png: await testPng(size) })
    expect(await errorFields(call)).toEqual(['png'])
  })

  test('is rejected when it is not an image', async () => {
    const { owner, subdomain } = await service.createSpace()
    const call = owner.spaces.setIcon({ subdomain, png: Buffer.from('hello').toString('base64') })
    expect(await errorFields(call)).toEqual(['png'])
  })
})
