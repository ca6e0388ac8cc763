import { expect, onTestFinished, test, vi } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { newSite } from './support/site.ts'

const service = useTestService()

/** Records the accounts whose turns the evaluated pages take. */
const recordAccounts = () => {
  const render = vi.spyOn(service.core.renderer, 'render')
  onTestFinished(() => render.mockRestore())
  return () => render.mock.calls.map(([{ account }]) => account)
}

test('pages of all spaces of an account take the turns of this account in the renderer', async () => {
  const first = await newSite(service)
  const second = await newSite(service, first.space.owner)
  const other = await newSite(service)
  const scripted = await second.page('scripted', 'text', 'scripted')
  for (const site of [first, second, other]) await site.page('about', 'text')
  const accounts = recordAccounts()
  for (const site of [first, second, other]) expect((await site.open('/about')).status).toBe(200)
  expect((await second.openOrigin(scripted)).status).toBe(200)
  const [ofFirst, ofSecond, ofOther, ofScripted] = accounts()
  expect(ofSecond).toBe(ofFirst)
  expect(ofScripted).toBe(ofFirst)
  expect(ofOther).not.toBe(ofFirst)
})

test('pages of a space with several participants take the turns of the first one, and their drafts those of the writer', async () => {
  const site = await newSite(service)
  const { owner, subdomain } = site.space
  const guest = await service.signUp()
  const { url } = await owner.invites.create({ subdomain })
  await guest.invites.accept({ token: new URL(url).hash.slice(1) })
  await site.page('about', 'text')
  const accounts = recordAccounts()
  const draft = { subdomain, editor: 'editor', slug: 'about', kind: 'static', html: 'draft' } as const
  await site.open('/about')
  await owner.previews.page(draft)
  await guest.previews.page(draft)
  const [ofSite, ofOwner, ofGuest] = accounts()
  expect(ofSite).toBe(ofOwner)
  expect(ofGuest).not.toBe(ofOwner)
})
