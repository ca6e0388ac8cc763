import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useTestService } from '../support/test-service.ts'
import { statusesOf } from './support/responses.ts'

const service = useTestService()
let owner: Person
let api: RestClient

beforeAll(async () => {
  owner = await service.signUp()
})

beforeEach(async () => {
  api = (await service.createSpace(undefined, owner)).api
})

const including = (...names: string[]) => names.map(name => `{% render '${name}' %}`).join('') || 'end'

const create = (name: string, ...includes: string[]) =>
  api.post<{ id: string }>('/parts', { name, html: including(...includes) })

/** Returns the status of a rejected write, the field, and the cycle in the message. */
const refusal = ({ status, body }: { status: number; body: object }) => {
  const [error, ...more] = (body as { errors?: { field: string; message: string }[] }).errors ?? []
  return [status, error?.field, /\S+(?: → \S+)+/.exec(error?.message ?? '')?.[0], ...more]
}

describe('a part that would include itself is rejected', () => {
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
  ])('directly, with %s', async html => {
    const response = await api.post('/parts', { name: 'a', html })
    expect(response.body.code).toBe('validation_failed')
    expect(refusal(response)).toEqual([422, 'html', 'a → a'])
    expect((await api.get('/parts')).body.data).toEqual([])
  })

  it('through another part', async () => {
    await create('b', 'a')
    expect(refusal(await create('a', 'b'))).toEqual([422, 'html', 'a → b → a'])
  })

  it('through two other parts, with any tags', async () => {
    await api.post('/parts', { name: 'b', html: "{% include 'c' %}" })
    await api.post('/parts', { name: 'c', html: "{% layout 'a' %}" })
    expect(refusal(await create('a', 'b'))).toEqual([422, 'html', 'a → b → c → a'])
  })

  it('when it is the missing part of a cycle', async () => {
    await create('a', 'b')
    await create('c', 'a')
    expect(refusal(await create('b', 'c'))).toEqual([422, 'html', 'b → c → a → b'])
    expect((await create('b', 'd')).status).toBe(201)
  })

  it('when its new body closes a cycle', async () => {
    const a = await create('a')
    await create('b', 'a')
    expect(refusal(await api.patch(`/parts/${a.body.id}`, { html: including('b') }))).toEqual([
      422,
      'html',
      'a → b → a',
    ])
    expect((await api.get(`/parts/${a.body.id}`)).body.html).toBe('end')
  })

  it('with an error for the name when only a new name closes the cycle', async () => {
    await create('a', 'b')
    const c = await create('c', 'a')
    for (const change of [{ name: 'b' }, { name: 'b', html: including('a') }])
      expect(refusal(await api.patch(`/parts/${c.body.id}`, change))).toEqual([422, 'name', 'b → a → b'])
    expect((await api.get(`/parts/${c.body.id}`)).body.name).toBe('c')
  })

  it('when it takes a name that its own body includes', async () => {
    const a = await create('a', 'b')
    expect(refusal(await api.patch(`/parts/${a.body.id}`, { name: 'b' }))).toEqual([422, 'name', 'b → b'])
  })

  it('with an error for the body when name and body change and the body closes the cycle', async () => {
    await create('a', 'b')
    const c = await create('c')
    const change = { name: 'b', html: including('a') }
    expect(refusal(await api.patch(`/parts/${c.body.id}`, change))).toEqual([422, 'html', 'b → a → b'])
  })

  it('when it is the last of concurrent writes to close the cycle', async () => {
    for (let round = 0; round < 5; round++) {
      const names = [0, 1, 2, 3].map(index => `r${round}-${index}`)
      const parts = await Promise.all(names.map(name => create(name)))
      const responses = await Promise.all(
        parts.map(({ body }, index) =>
          api.patch(`/parts/${body.id}`, { html: including(names[(index + 1) % names.length]!) }),
        ),
      )
      expect(statusesOf(responses)).toEqual([200, 200, 200, 422])
    }
  })
})

describe('a part is accepted', () => {
  it('when two paths lead to the same part', async () => {
    await create('end')
    await create('left', 'end')
    await create('right', 'end')
    expect((await create('top', 'left', 'right')).status).toBe(201)
  })

  it('when only its former name would have closed the cycle', async () => {
    const a = await create('a', 'b')
    expect((await api.patch(`/parts/${a.body.id}`, { name: 'c' })).status).toBe(200)
    expect((await create('b', 'a')).status).toBe(201)
  })

  it('when the other part of the cycle was deleted', async () => {
    const a = await create('a', 'b')
    await api.delete(`/parts/${a.body.id}`)
    expect((await create('b', 'a')).status).toBe(201)
  })

  it('when it names itself only in a variable, a comment or raw text', async () => {
    const html =
      "{% assign n = 'a' %}{% render n %}{% comment %}{% render 'a' %}{% endcomment %}{% raw %}{% render 'a' %}{% endraw %}"
    expect((await api.post('/parts', { name: 'a', html })).status).toBe(201)
  })

  it('when a page with its name includes it', async () => {
    await create('a')
    expect((await api.post('/pages', { slug: 'a', html: including('a') })).status).toBe(201)
  })
})
