import { describe, expect, test } from 'vitest'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { expectNotice, keepUndoOffered } from '../support/notices.ts'

const dashboard = useDashboard()

const KINDS = [
  {
    kind: 'page',
    path: '/pages',
    create: async (owner, subdomain, name) => owner.pages.create({ subdomain, slug: name, html: 'x' }),
    names: async (owner, subdomain) => (await owner.pages.list({ subdomain })).data.map(({ slug }) => slug),
  },
  {
    kind: 'record',
    path: '/data',
    create: async (owner, subdomain, name) => owner.data.put({ subdomain, key: name, value: 1 }),
    names: async (owner, subdomain) => (await owner.records.list({ subdomain })).map(({ key }) => key),
  },
] as const satisfies {
  kind: string
  path: string
  create: (owner: Owner, subdomain: string, name: string) => Promise<unknown>
  names: (owner: Owner, subdomain: string) => Promise<string[]>
}[]

type Owner = Awaited<ReturnType<typeof dashboard.service.createSpace>>['owner']

describe.each(KINDS)('several $kind items', ({ kind, path, create, names }) => {
  const open = async () => {
    const space = await dashboard.service.createSpace()
    const { owner, subdomain } = space
    for (const name of ['ash', 'beech', 'elm', 'fir', 'oak']) await create(owner, subdomain, name)
    const { page } = await dashboard.inSpace(space, path)
    await page.getByLabel('Select beech').check()
    return { page, owner, names: async () => (await names(owner, subdomain)).toSorted() }
  }

  test('can be selected as a range, deleted together, and restored with one undo', async () => {
    const { page, names } = await open()
    await page.getByLabel('Select fir').click({ modifiers: ['Shift'] })
    await page.getByLabel(`3 ${kind}s selected`).waitFor()
    await page.getByLabel('Select elm').press('Space')
    await page.getByLabel(`2 ${kind}s selected`).waitFor()
    await expectAccessible(page, `${kind}s-selected`)
    await page.getByRole('button', { name: `Delete 2 ${kind}s` }).click()
    const dialog = page.getByRole('dialog', { name: `Delete 2 ${kind}s?` })
    await dialog.getByText('beech').waitFor()
    await expectAccessible(page, `${kind}s-delete-selected`)
    await keepUndoOffered(page)
    await dialog.getByRole('button', { name: `Delete 2 ${kind}s` }).click()
    await expectNotice(page, `2 ${kind}s deleted`)
    expect(await names()).toEqual(['ash', 'elm', 'oak'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectNotice(page, `2 ${kind}s are back`)
    expect(await names()).toEqual(['ash', 'beech', 'elm', 'fir', 'oak'])
    await page.getByLabel('Select fir').waitFor()
  })

  test('are deleted only as far as the list shows them', async () => {
    const { page, names } = await open()
    await page.getByLabel(`1 ${kind} selected`).click()
    await page.getByLabel(`5 ${kind}s selected`).waitFor()
    await page.getByRole('searchbox').fill('o')
    await page.getByLabel(`1 ${kind} selected`).waitFor()
    await page.getByRole('button', { name: `Delete 1 ${kind}` }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Delete 1 ${kind}` })
      .click()
    await expectNotice(page, 'oak deleted')
    expect(await names()).toEqual(['ash', 'beech', 'elm', 'fir'])
  })
})
