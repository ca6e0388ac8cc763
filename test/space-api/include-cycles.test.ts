import { describe, expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { statusesOf } from './support/responses.ts'
import { useSpacePerTest } from './support/space-per-test.ts'

const service = useTestService()
const space = useSpacePerTest(service)

const including = (...names: string[]) => names.map(name => `{% render '${name}' %}`).join('') || 'end'

const create = (name: string, ...includes: string[]) =>
  space.api.post<{ id: string }>('/parts', { name, html: including(...includes) })

/** For a rejected write, returns the status, the field that the error is about, and the cycle in the error message. */
const refusal = ({ status, body }: { status: number; body: object }) => {
  const [error, ...more] = (body as { errors?: { field: string; message: string }[] }).errors ?? []
  return [status, error?.field, /\S+(?: → \S+)+/.exec(error?.message ?? '')?.[0], ...more]
}

describe('a write that would make a part include itself', () => {
  it.each([
    "{% render 'a' %}",
    '{% render "a" %}',
    "{% include 'a' %}",
    '{%- include "a" -%}',
    "{% layout 'a' %}",
    '{% layout "a" %}{% block content %}{% endblock %}',
    "{% if false %}{% render 'a' %}{% endif %}",
    "{% liquid\nrender 'a'\n%}",
    "{% if %}{% render 'a' %}",
  ])('is rejected if the part includes itself directly: %s', async html => {
    const response = await space.api.post('/parts', { name: 'a', html })
    expect(response.body.code).toBe('validation_failed')
    expect(refusal(response)).toEqual([422, 'html', 'a → a'])
    expect((await space.api.get('/parts')).body.data).toEqual([])
  })

  it('is rejected if the part includes itself through another part', async () => {
    await create('b', 'a')
    expect(refusal(await create('a', 'b'))).toEqual([422, 'html', 'a → b → a'])
  })

  it('is rejected if the part includes itself through two other parts and three different tags', async () => {
    await space.api.post('/parts', { name: 'b', html: "{% include 'c' %}" })
    await space.api.post('/parts', { name: 'c', html: "{% layout 'a' %}" })
    expect(refusal(await create('a', 'b'))).toEqual([422, 'html', 'a → b → c → a'])
  })

  it('is rejected if creating a part closes a cycle', async () => {
    await create('a', 'b')
    await create('c', 'a')
    expect(refusal(await create('b', 'c'))).toEqual([422, 'html', 'b → c → a → b'])
    expect((await create('b', 'd')).status).toBe(201)
  })

  it('is rejected if the new body of a part closes a cycle', async () => {
    const a = await create('a')
    await create('b', 'a')
    expect(refusal(await space.api.patch(`/parts/${a.body.id}`, { html: including('b') }))).toEqual([
      422,
      'html',
      'a → b → a',
    ])
    expect((await space.api.get(`/parts/${a.body.id}`)).body.html).toBe('end')
  })

  it('is rejected with an error in the field `name` if a new name is enough to close a cycle', async () => {
    await create('a', 'b')
    const c = await create('c', 'a')
    for (const change of [{ name: 'b' }, { name: 'b', html: including('a') }])
      expect(refusal(await space.api.patch(`/parts/${c.body.id}`, change))).toEqual([
        422,
        'name',
        'b → a → b',
      ])
    expect((await space.api.get(`/parts/${c.body.id}`)).body.name).toBe('c')
  })

  it('is rejected if a part that includes `b` is renamed to `b`', async () => {
    const a = await create('a', 'b')
    expect(refusal(await space.api.patch(`/parts/${a.body.id}`, { name: 'b' }))).toEqual([
      422,
      'name',
      'b → b',
    ])
  })

  it('is rejected with an error for the body if the new name and the new body together close a cycle', async () => {
    await create('a', 'b')
    const c = await create('c')
    const change = { name: 'b', html: including('a') }
    expect(refusal(await space.api.patch(`/parts/${c.body.id}`, change))).toEqual([422, 'html', 'b → a → b'])
  })

  it('is rejected if it completes a cycle together with concurrent writes', async () => {
    for (let round = 0; round < 5; round++) {
      const names = [0, 1, 2, 3].map(index => `r${round}-${index}`)
      const parts = await Promise.all(names.map(name => create(name)))
      const responses = await Promise.all(
        parts.map(({ body }, index) =>
          space.api.patch(`/parts/${body.id}`, { html: including(names[(index + 1) % names.length]!) }),
        ),
      )
      expect(statusesOf(responses)).toEqual([200, 200, 200, 422])
    }
  })
})

describe('a write of a part', () => {
  it('is accepted if the part includes another one on two paths', async () => {
    await create('end')
    await create('left', 'end')
    await create('right', 'end')
    expect((await create('top', 'left', 'right')).status).toBe(201)
  })

  it('is accepted if the only possible cycle needs the old name of another part', async () => {
    const a = await create('a', 'b')
    expect((await space.api.patch(`/parts/${a.body.id}`, { name: 'c' })).status).toBe(200)
    expect((await create('b', 'a')).status).toBe(201)
  })

  it('is accepted if the only possible cycle contains a part that was deleted', async () => {
    const a = await create('a', 'b')
    await space.api.delete(`/parts/${a.body.id}`)
    expect((await create('b', 'a')).status).toBe(201)
  })

  it('is accepted if the part names itself only in a variable, a comment or raw text', async () => {
    const html =
      "{% assign n = 'a' %}{% render n %}{% comment %}{% render 'a' %}{% endcomment %}{% raw %}{% render 'a' %}{% endraw %}"
    expect((await space.api.post('/parts', { name: 'a', html })).status).toBe(201)
  })

  it('does not prevent a page with the same name from including the part', async () => {
    await create('a')
    expect((await space.api.post('/pages', { slug: 'a', html: including('a') })).status).toBe(201)
  })
})
