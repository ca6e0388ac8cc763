/** Attack: one account creates spaces, posts and comments as fast as it can. */
import { runAttack } from '../support/attack.ts'
import { call, repeat, tally } from '../support/http.ts'

runAttack(async ({ port, from, scale, headers, facts }) => {
  const post = (path: string, body: object, more: object = headers) =>
    call(port, { path, headers: { ...more }, body: JSON.stringify(body), from })
  const spaces = await repeat(100 * scale, 10, n =>
    post('/trpc/spaces.create', { subdomain: `many-${n}`, name: 'x' }, { cookie: facts.cookie }),
  )
  const posts = await repeat(200 * scale, 20, () =>
    post('/v1/posts', { html: '<p>x</p>'.repeat(5_000), tags: [] }),
  )
  const { id } = JSON.parse(posts[0]!.text) as { id: string }
  const comments = await repeat(200 * scale, 20, () => post(`/v1/posts/${id}/comments`, { body: 'x' }))
  const named = (name: string, counts: Record<string, number>) =>
    Object.fromEntries(Object.entries(counts).map(([status, times]) => [`${name} ${status}`, times]))
  return {
    ...named('spaces', tally(spaces)),
    ...named('posts', tally(posts)),
    ...named('comments', tally(comments)),
  }
})
