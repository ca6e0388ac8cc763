import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'

const service = useTestService()
let space: TestSpace

beforeAll(async () => {
  space = await service.createSpace()
})

const pngOf = async (background: string) => {
  const image = sharp({ create: { width: 256, height: 256, channels: 3, background } })
  return (await image.png().toBuffer()).toString('base64')
}

describe('a space', () => {
  it('has its name, the scopes of the key and every rule', async () => {
    const { status, body } = await (await space.apiWith('data', 'files')).get('')
    expect(status).toBe(200)
    const SLUG = '^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$'
    expect(body).toEqual({
      subdomain: space.subdomain,
      name: `The ${space.subdomain}`,
      url: `http://${space.subdomain}.sites.localhost`,
      icon_url: null,
      scopes: ['data', 'files'],
      rules: {
        page: {
          slug: { min_length: 1, max_length: 60, pattern: SLUG },
          kinds: ['scripted', 'static'],
          default_kind: 'scripted',
          html_max_length: 262144,
        },
        part: {
          name: { min_length: 1, max_length: 60, pattern: '^[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?$' },
          html_max_length: 262144,
          total_max_length: 1048576,
        },
        data: {
          key_pattern: SLUG,
          max_records: 100,
          value_max_bytes: 65536,
          total_max_bytes: 1048576,
          max_depth: 32,
        },
        file: {
          max_bytes: 10485760,
          quota_bytes: 104857600,
          name_max_length: 255,
          encodings: ['base64', 'text'],
        },
      },
      rate_limit: { requests_per_minute: 1_000_000 },
    })
  })

  it('shows a changed name immediately', async () => {
    await space.owner.spaces.rename({ subdomain: space.subdomain, name: 'Grüne 🌱 "Gärten"' })
    expect((await space.api.get('')).body.name).toBe('Grüne 🌱 "Gärten"')
  })

  it('has an icon_url that changes with the image and is null after removal', async () => {
    const { subdomain, owner, api } = space
    await owner.spaces.setIcon({ subdomain, png: await pngOf('red') })
    const first = (await api.get('')).body.icon_url
    await owner.spaces.setIcon({ subdomain, png: await pngOf('blue') })
    const second = (await api.get('')).body.icon_url
    expect(first).toMatch(/^http:\/\/localhost\/_icons\/[2-9a-z]{16}\.png$/)
    expect(second).not.toBe(first)
    const image = await fetch(String(second).replace('http://localhost', service.root))
    expect(image.headers.get('content-type')).toBe('image/png')
    const { width, height, format } = await sharp(await image.arrayBuffer()).metadata()
    expect({ width, height, format }).toEqual({ width: 256, height: 256, format: 'png' })
    await owner.spaces.removeIcon({ subdomain })
    expect((await api.get('')).body.icon_url).toBeNull()
  })
})
