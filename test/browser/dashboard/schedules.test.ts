import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { localTime } from '../../../facades/admin/schedules/local-time.ts'
import { scheduleRunner } from '../../../routers/content/schedules/carry-out.ts'
import { expectAccessible, useDashboard } from '../support/dashboard.ts'
import { write } from '../support/editor.ts'
import { expectNotice } from '../support/notices.ts'
import { BODY, useEditing } from '../support/unsaved.ts'

const dashboard = useDashboard()
const editing = useEditing(dashboard)

const DAY = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * DAY)

const list = () => editing.owner.schedules.list({ subdomain: editing.subdomain })
const rows = (page: Page) => page.getByRole('list', { name: 'Scheduled' }).getByRole('listitem')
const openDialog = (page: Page) => page.getByRole('button', { name: 'Schedule a change' }).click()

const carryOut = async () => {
  const { core } = dashboard.service
  await sql`update schedules set due_at = now()`.execute(core.database)
  const runner = scheduleRunner(core, () => {})
  await runner.start()
  await runner.ended()
}

describe('a draft', () => {
  test('is scheduled in the editor, listed with the pages, and no longer once it is cancelled', async () => {
    const { id } = await editing.createPage()
    const page = await editing.open(`/pages/${id}`)
    await write(page, '<h2>Opening soon</h2>', BODY)
    await openDialog(page)
    await expectAccessible(page, 'schedule-dialog')
    const time = page.getByLabel('Save on')
    const submit = page.getByRole('button', { name: 'Schedule the save' })
    await time.fill(localTime(inDays(-1)))
    await submit.click()
    await page.getByText('must be in the future, at most 366 days ahead').waitFor()
    await expectAccessible(page, 'schedule-dialog-past')
    expect(await list()).toEqual([])
    const at = localTime(inDays(30))
    await time.fill(at)
    await submit.click()
    await expectNotice(page, 'The draft will be saved on')
    expect(await list()).toMatchObject([{ action: 'save', thing: id, at: new Date(at).toISOString() }])
    await openDialog(page)
    await rows(page).getByText('Scheduled by you.').waitFor()
    await expectAccessible(page, 'schedule-dialog-scheduled')
    await submit.click()
    await page.getByText('must be a time').waitFor()
    await time.fill(at)
    await submit.click()
    await page.getByText('Cancel what is scheduled for this page first.').waitFor()

    const pages = await editing.open('/pages')
    await rows(pages).getByText('Will be saved on').waitFor()
    await expectAccessible(pages, 'schedules')
    await pages.getByRole('button', { name: 'Cancel: home will be saved' }).click()
    await expectNotice(pages, 'Removed from what is scheduled.')
    await expect.poll(() => pages.getByRole('heading', { name: 'Scheduled' }).count()).toBe(0)
    expect(await list()).toEqual([])
  })

  test('that was saved before it is cancelled is said to be no longer scheduled', async () => {
    const { owner, subdomain } = editing
    const { id } = await editing.createPage()
    const fields = { slug: 'home', kind: 'static' as const, html: 'mine' }
    await owner.unsaved.keep({ subdomain, kind: 'page', thing: id, is_new: false, fields, base: null })
    const schedule = await owner.schedules.save({ subdomain, thing: id, at: inDays(1).toISOString() })
    const page = await editing.open('/pages')
    await rows(page).getByText('Will be saved on').waitFor()
    await page.route(/\/trpc\/schedules\.cancel/, async route => {
      await owner.schedules.cancel({ subdomain, schedule_id: schedule.id })
      await route.continue()
    })
    await page.getByRole('button', { name: 'Cancel: home will be saved' }).click()
    await expectNotice(page, 'This is no longer scheduled')
  })

  test('that was not saved is listed with the reason, and notifies its author', async () => {
    const { owner, subdomain } = editing
    const { id } = await editing.createPage()
    const fields = { slug: 'home', kind: 'static' as const, html: 'mine' }
    await owner.unsaved.keep({ subdomain, kind: 'page', thing: id, is_new: false, fields, base: null })
    await owner.schedules.save({ subdomain, thing: id, at: inDays(1).toISOString() })
    await owner.pages.update({ subdomain, page_id: id, html: 'theirs' })
    await carryOut()
    const page = await editing.open('')
    await page.goto(page.url().replace(/\/spaces.*/, '/notifications'))
    await page
      .getByText('It was scheduled. Nothing was changed, because the page was saved in the meantime.')
      .waitFor()
    await expectAccessible(page, 'schedule-notification')
    const [pages] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'was not saved or deleted' }).click(),
    ])
    await rows(pages).getByText('because the page was saved in the meantime. Scheduled by you.').waitFor()
    await expectAccessible(pages, 'schedules-refused')
    await pages.getByRole('button', { name: 'Remove: home was not saved' }).click()
    await expect.poll(() => rows(pages).count()).toBe(0)
  })
})

describe('a page', () => {
  test('is deleted at the chosen time, which every participant sees', async () => {
    const { id } = await editing.createPage()
    const editor = await editing.open(`/pages/${id}`)
    await openDialog(editor)
    await editor.getByLabel('Delete on').fill(localTime(inDays(30)))
    await expectAccessible(editor, 'schedule-dialog-delete')
    await editor.getByRole('button', { name: 'Schedule the deletion' }).click()
    await expectNotice(editor, 'The page will be deleted on')
    await editor.context().close()
    const other = await editing.open('/pages', await editing.site.space.join())
    await rows(other).getByText('Will be deleted on').waitFor()
    await rows(other).getByText(`Scheduled by ${editing.owner.handle}.`).waitFor()
    await carryOut()
    await other.getByRole('heading', { name: 'Create your first page' }).waitFor()
    await expect.poll(() => rows(other).count()).toBe(0)
  })
})
