import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useDashboard } from '../support/dashboard.ts'
import { button } from '../support/locators.ts'

const dashboard = useDashboard()

/** Maximum duration of an animation, in ms. A longer one would keep people waiting. */
const LONGEST = 200

/** Records the animations that scripts start: the text of each element, and the duration. */
const recordMoves = (page: Page) =>
  page.addInitScript(`
    const { animate } = Element.prototype
    globalThis.moves = []
    Element.prototype.animate = function (keyframes, options) {
      moves.push([this.textContent, options.duration])
      return animate.call(this, keyframes, options)
    }`)

/** Deletes the first of three posts, and returns the animations of the list. */
const movesOfDeletion = async (reducedMotion: 'reduce' | 'no-preference') => {
  const person = await dashboard.service.signUp()
  for (const title of ['Quinces', 'Pears', 'Apples'])
    await person.posts.create({ format: 'markdown', markdown: title })
  const { page, open } = await dashboard.as(person)
  await page.emulateMedia({ reducedMotion })
  await recordMoves(page)
  await open('/posts')
  const rows = page.getByRole('list', { name: 'Posts', exact: true }).getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(3)
  await button(page, 'Delete Apples').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click()
  await expect.poll(() => rows.count()).toBe(2)
  return page.evaluate<[string, number][]>('moves')
}

test('the rows below a deleted one move up', async () => {
  const moves = await movesOfDeletion('no-preference')
  expect(moves.map(([text]) => text)).toEqual([
    expect.stringContaining('Pears'),
    expect.stringContaining('Quinces'),
  ])
  for (const [, duration] of moves) expect(duration).toBeLessThanOrEqual(LONGEST)
})

test('nothing moves for people who prefer less motion', async () => {
  expect(await movesOfDeletion('reduce')).toEqual([])
})
