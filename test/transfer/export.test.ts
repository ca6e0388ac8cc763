import { beforeEach, describe, expect, test } from 'vitest'
import { type TestSpace, useTestService } from '../support/test-service.ts'
import { pack, unpack } from './support/archives.ts'
import { useMover } from './support/browser-session.ts'
import { contentOf } from './support/content-of.ts'

const service = useTestService()
const mover = useMover(service)
let space: TestSpace
beforeEach(async () => {
  space = await mover.space()
})

const fill = async ({ api }: TestSpace) => {
  await api.post('/parts', { name: 'frame', html: '<main>{% block content %}{% endblock %}</main>' })
  await api.post('/parts', { name: 'greeting', html: 'Hello {{ who }} \u{1F331}' })
  await api.post('/pages', {
    slug: 'home',
    kind: 'static',
    html: "{% layout 'frame' %}{% block content %}{% render 'greeting', who: data.names[0] %}{% endblock %}",
  })
  await api.post('/pages', {
    slug: 'script',
    html: '<script>1 < 2</script>{{ files.size }} {{ pages.size }}',
  })
  await api.put('/data/names', { value: ['Robin', '\0', { b: 1, a: 2 }], description: 'Who is there' })
  await api.put('/data/null', { value: null })
  await api.post('/files', { name: 'a: b?.txt', content: 'one', encoding: 'text' })
  await api.post('/files', { name: 'same.txt', content: 'two', encoding: 'text' })
  await api.post('/files', { name: '.DS_Store', content: 'wanted', encoding: 'text' })
  await api.post('/files', { name: 'same.txt', content: 'three', encoding: 'text' })
}

describe('an export', () => {
  test('gives the same content when it is imported into an empty space', async () => {
    await fill(space)
    const response = await mover.download(space.subdomain)
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="${space.subdomain}-\\d{4}-\\d\\d-\\d\\d\\.zip"$`),
    )
    const archive = Buffer.from(await response.arrayBuffer())
    expect(archive.length).toBe(Number(response.headers.get('content-length')))
    const copy = await mover.space()
    const { status, body } = await mover.put(copy.subdomain, archive)
    const [name, ...others] = body.changes!
    expect([status, name]).toEqual([200, { kind: 'space', name: 'name', action: 'change' }])
    expect(others.every(({ action }) => action === 'add')).toBe(true)
    expect(await contentOf(copy)).toEqual(await contentOf(space))
    const again = await unpack(await mover.archive(copy.subdomain))
    const first = await unpack(archive)
    const texts = (files: Map<string, Buffer>) =>
      [...files]
        .filter(([path]) => /^(pages|parts|data)/.test(path))
        .map(([path, bytes]) => [path, bytes.toString()])
    expect(texts(again)).toEqual(texts(first))
  })

  test('is in the audit log of the space, with the person who downloaded it', async () => {
    const { owner, subdomain } = space
    await (await mover.download(subdomain)).body?.cancel()
    const { events } = await owner.audit.ofSpace({ subdomain, topic: 'content' })
    expect(events).toMatchObject([{ kind: 'exported', handle: owner.handle, actor_label: null }])
  })

  test('changes nothing when it is imported into the same space', async () => {
    await fill(space)
    const archive = await mover.archive(space.subdomain)
    const { body } = await mover.upload(space.subdomain, archive, 'delete_missing=1')
    expect(body.changes).toEqual([])
  })

  test('has readable file names', async () => {
    await fill(space)
    const files = await unpack(await mover.archive(space.subdomain))
    const names = [...files.keys()].map(path => path.replace(/[2-9a-z]{16}/, 'ID')).toSorted()
    expect(names).toEqual([
      'data/names.json',
      'data/null.json',
      'files/ID/_.DS_Store',
      'files/ID/a_ b_.txt',
      'files/ID/same.txt',
      'files/ID/same.txt',
      'manifest.json',
      'pages/home.liquid',
      'pages/script.liquid',
      'parts/frame.liquid',
      'parts/greeting.liquid',
    ])
  })

  test.each([
    ['without a session', { cookie: '' }, 'sign_in_required'],
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 'cross_site_request'],
  ])('is refused %s, and so is an import', async (_what, headers, code) => {
    const response = await mover.download(space.subdomain, headers)
    expect(await response.json()).toMatchObject({ code })
    const { body } = await mover.upload(space.subdomain, await pack(), '', headers)
    expect(body.code).toBe(code)
  })

  test('cannot be resumed: it has no tag, so `If-Match` gets a 412, and a range gets the whole archive', async () => {
    const statuses = []
    for (const [name, value] of [
      ['if-match', '"another"'],
      ['if-match', '*'],
      ['range', 'bytes=5-'],
    ] as const)
      statuses.push((await mover.download(space.subdomain, { [name]: value })).status)
    expect(statuses).toEqual([412, 200, 200])
  })

  test('is refused for someone else’s space and for an unknown space', async () => {
    const other = await service.createSpace()
    for (const subdomain of [other.subdomain, 'nowhere', 'x'])
      expect(await (await mover.download(subdomain)).json()).toMatchObject({ code: 'space_not_found' })
  })
})
