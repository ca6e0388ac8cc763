import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RestClient } from '../support/rest-client.ts'
import { type Person, useWorld } from '../support/world.ts'
import { statusesOf } from './support/answers.ts'

const world = useWorld()
let owner: Person
let api: RestClient

beforeAll(async () => {
  owner = await world.person()
})

beforeEach(async () => {
  api = (await world.space(undefined, owner)).api
})

const including = (...names: string[]) => names.map(name => `{% render '${name}' %}`).join('') || 'end'

const create = (name: string, ...includes: string[]) =>
  api.post<{ id: string }>('/parts', { name, html: including(...includes) })

/** The error of a refused write: its status, its field, and the way that the message spells. */
const refusal = ({ status, body }: { status: number; body: object }) => {
  const [error, ...more] = (body as { errors?: { field: string; message: string }[] }).errors ?? []
  return [status, error?.field, /\S+(?: → \S+)+/.exec(error?.message ?? '')?.[0], ...more]
}

describe('a part that would include itself is refused', () => {
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
  ])('directly, by %s', async html => {
    const answer = await api.post('/parts', { name: 'a', html })
    expect(answer.body.code).toBe('validation_failed')
    expect(refusal(answer)).toEqual([422, 'html', 'a → a'])
    expect((await api.get('/parts')).body.data).toEqual([])
  })

  it('through another part', async () => {
    await create('b', 'a')
    expect(refusal(await create('a', 'b'))).toEqual([422, 'html', 'a → b → a'])
  })

  it('through two others, whichever tags they use', async () => {
    await api.post('/parts', { name: 'b', html: "{% include 'c' %}" })
    await api.post('/parts', { name: 'c', html: "{% layout 'a' %}" })
    expect(refusal(await create('a', 'b'))).toEqual([422, 'html', 'a → b → c → a'])
  })

  it('by the part that is missing in the middle', async () => {
    await create('a', 'b')
    await create('c', 'a')
    expect(refusal(await create('b', 'c'))).toEqual([422, 'html', 'b → c → a → b'])
    expect((await create('b', 'd')).status).toBe(201)
  })

  it('by a change of its body, which stays as it was', async () => {
    const a = await create('a')
    await create('b', 'a')
    expect(refusal(await api.patch(`/parts/${a.body.id}`, { html: including('b') }))).toEqual([
      422,
      'html',
      'a → b → a',
    ])
    expect((await api.get(`/parts/${a.body.id}`)).body.html).toBe('end')
  })

  it('by a change of its name alone, and the name is what is wrong', async () => {
    await create('a', 'b')
    const c = await create('c', 'a')
    for (const change of [{ name: 'b' }, { name: 'b', html: including('a') }])
      expect(refusal(await api.patch(`/parts/${c.body.id}`, change))).toEqual([422, 'name', 'b → a → b'])
    expect((await api.get(`/parts/${c.body.id}`)).body.name).toBe('c')
  })

  it('by a change of its name to what it includes itself', async () => {
    const a = await create('a', 'b')
    expect(refusal(await api.patch(`/parts/${a.body.id}`, { name: 'b' }))).toEqual([422, 'name', 'b → b'])
  })

  it('by a change of both, and the body is what is wrong', async () => {
    await create('a', 'b')
    const c = await create('c')
    const change = { name: 'b', html: including('a') }
    expect(refusal(await api.patch(`/parts/${c.body.id}`, change))).toEqual([422, 'html', 'b → a → b'])
  })

  it('by whichever of many writes at the same moment would close the circle', async () => {
    for (let round = 0; round < 5; round++) {
      const names = [0, 1, 2, 3].map(index => `r${round}-${index}`)
      const parts = await Promise.all(names.map(name => create(name)))
      const answers = await Promise.all(
        parts.map(({ body }, index) =>
          api.patch(`/parts/${body.id}`, { html: including(names[(index + 1) % names.length]!) }),
        ),
      )
      expect(statusesOf(answers)).toEqual([200, 200, 200, 422])
    }
  })
})

describe('a part is accepted', () => {
  it('where two ways lead to the same part', async () => {
    await create('end')
    await create('left', 'end')
    await create('right', 'end')
    expect((await create('top', 'left', 'right')).status).toBe(201)
  })

  it('where its former name is what the circle would have needed', async () => {
    const a = await create('a', 'b')
    expect((await api.patch(`/parts/${a.body.id}`, { name: 'c' })).status).toBe(200)
    expect((await create('b', 'a')).status).toBe(201)
  })

  it('where the other part of the circle is deleted', async () => {
    const a = await create('a', 'b')
    await api.delete(`/parts/${a.body.id}`)
    expect((await create('b', 'a')).status).toBe(201)
  })

  it('with its own name in a variable, in a comment or in raw text', async () => {
    const html =
      "{% assign n = 'a' %}{% render n %}{% comment %}{% render 'a' %}{% endcomment %}{% raw %}{% render 'a' %}{% endraw %}"
    expect((await api.post('/parts', { name: 'a', html })).status).toBe(201)
  })

  it('where a page of the same name includes it', async () => {
    await create('a')
    expect((await api.post('/pages', { slug: 'a', html: including('a') })).status).toBe(201)
  })
})
