import { describe, expect, test } from 'vitest'
import { limits } from '../../../routers/core/rules.ts'
import { copyCredential } from '../../support/copies.ts'
import { expectAccessible, expectFocus, useDashboard } from '../support/dashboard.ts'
import { breakTable, rateLimit } from '../support/failures.ts'
import { bareSpace, openKeys, textOf } from '../support/keys.ts'

const dashboard = useDashboard()

const letPass = (interval: string) =>
  dashboard.world.service.core.orm.em
    .fork()
    .execute(
      `update space_keys set created_at = created_at - interval '${interval}', expires_at = expires_at - interval '${interval}'`,
    )

describe('issuing a key', () => {
  test('shows it once, ready to be used, and it works', async () => {
    const space = await bareSpace(dashboard)
    const { page } = await openKeys(dashboard, space)
    await page.getByRole('heading', { name: 'Give a program its first key' }).waitFor()
    await expectAccessible(page, 'keys-empty')
    await page.getByRole('link', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Label').fill('Website build')
    await form.getByLabel('Expires').selectOption('In 90 days')
    await expectAccessible(page, 'keys-issue')
    await form.getByRole('button', { name: 'Issue key' }).click()

    const dialog = page.getByRole('dialog', { name: 'Your new key “Website build”' })
    await dialog.waitFor()
    const key = await textOf(page, 'Key')
    expect(key).toMatch(/^ss_sk_[0-9A-Za-z]{38}$/)
    await expectAccessible(page, 'keys-secret')

    const curl = await textOf(page, 'Lines for curl')
    const [, header, url] = /-H "Authorization: (.+)" \\\n {2}(http\S+)$/.exec(curl)!
    const answer = await fetch(url!, { headers: { authorization: header! } })
    expect(await answer.json()).toMatchObject({
      subdomain: space.subdomain,
      scopes: ['pages', 'data', 'files'],
    })
    expect(page.url()).not.toContain('ss_sk_')
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(key)

    await page.keyboard.press('Escape')
    await dialog.waitFor()
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('Expires in 3 months').waitFor()
    expect(await page.content()).not.toContain(key)
    await expectFocus(page, 'New key')
  })

  test('has lines for programs, each with the key or without it where it is asked for', async () => {
    const space = await bareSpace(dashboard)
    const { page } = await openKeys(dashboard, space, '?issue=true')
    await page.getByLabel('Label').fill('Agent')
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    const key = await textOf(page, 'Key')
    const { apiRoot } = dashboard.world.service.core.addresses
    for (const [program, expected] of [
      [
        '.env',
        [`SPACE_SITE_API=${apiRoot}/v1`, `SPACE_SITE_SUBDOMAIN=${space.subdomain}`, `SPACE_SITE_KEY=${key}`],
      ],
      ['Claude Code', [`claude mcp add --transport http space-site ${apiRoot}/mcp`, `Bearer ${key}`]],
      ['Cursor', [`"url": "${apiRoot}/mcp"`, `Bearer ${key}`]],
      ['VS Code', [`"url": "${apiRoot}/mcp"`, `\${input:space-site-key}`]],
    ] as const) {
      await page.getByRole('tab', { name: program }).click()
      const lines = await textOf(page, `Lines for ${program}`)
      for (const line of expected) expect(lines).toContain(line)
      if (program === 'VS Code') await expectAccessible(page, 'keys-secret-vs-code')
    }
  })

  test('says at each field what is wrong, and loses nothing', async () => {
    const { page } = await openKeys(dashboard, await bareSpace(dashboard), '?issue=true')
    const chosen = page.getByRole('checkbox', { checked: true })
    await chosen.first().waitFor()
    for (let left = await chosen.count(); left > 0; left--) await chosen.first().uncheck()
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByText('Must be 1 to 60 characters long.').waitFor()
    await page.getByText('Must name at least one scope.').waitFor()
    await expectAccessible(page, 'keys-issue-invalid')
  })

  test('keeps what was typed while there is no network', async () => {
    const space = await bareSpace(dashboard)
    const { page, context } = await openKeys(dashboard, space, '?issue=true')
    await page.getByLabel('Label').fill('Typed with care')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByRole('dialog').getByText('You are offline').waitFor()
    await context.setOffline(false)
    expect(await page.getByLabel('Label').inputValue()).toBe('Typed with care')
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByRole('dialog', { name: 'Your new key “Typed with care”' }).waitFor()
    expect(await space.owner.keys.list({ subdomain: space.subdomain })).toHaveLength(1)
  })

  test('says at the last one that there is, how room is made, and keeps what was typed', async () => {
    const space = await bareSpace(dashboard)
    const { subdomain, owner } = space
    const { id } = await owner.keys.issue({ subdomain, label: 'Program', scopes: ['pages'] })
    await copyCredential(dashboard.world, 'space_keys', id, limits.keys - 1)
    const { page, context } = await openKeys(dashboard, space, '?issue=true')
    await page.getByLabel('Label').fill('One too many')
    await page.getByRole('button', { name: 'Issue key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form
      .getByText(`A space has at most ${limits.keys} keys. Revoke one that nothing uses any more`)
      .waitFor()
    await expectAccessible(page, 'keys-full')
    const [list] = await Promise.all([
      context.waitForEvent('page'),
      form.getByRole('link', { name: 'Open the list in another tab' }).click(),
    ])
    await list.getByRole('link', { name: 'Revoke Program 42', exact: true }).click()
    await list.getByRole('button', { name: 'Revoke key' }).click()
    await list.getByText('Program 42', { exact: true }).waitFor({ state: 'detached' })
    await page.bringToFront()
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByRole('dialog', { name: 'Your new key “One too many”' }).waitFor()
  })

  test('asks before the key is left unseen', async () => {
    const { owner, subdomain } = await bareSpace(dashboard)
    const { page, open } = await dashboard.as(owner)
    await open(`/spaces/${subdomain}/settings`)
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('link', { name: 'New key' }).click()
    await page.getByLabel('Label').fill('Agent')
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    // Back to the list below it, and from there to where one came from.
    await page.goBack()
    await page.getByRole('tab', { name: 'Cursor' }).click()
    await page.getByRole('region', { name: 'Lines for Cursor' }).waitFor()
    await page.goBack()
    const question = page.getByRole('dialog', { name: 'Leave without the key?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    expect(await page.getByRole('button', { name: 'I have saved it' }).isVisible()).toBe(true)
  })

  test('is copied with a button that says so, or that the browser does not let it', async () => {
    const { page, context } = await openKeys(dashboard, await bareSpace(dashboard), '?issue=true')
    await page.getByLabel('Label').fill('Agent')
    await page.getByRole('button', { name: 'Issue key' }).click()
    const copy = page.getByRole('button', { name: 'Copy Key' })
    await copy.waitFor()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await copy.click()
    await page.getByRole('status').getByText('Copied Key').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await textOf(page, 'Key'))
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`)
    await copy.click()
    await page.getByRole('alert').getByText('copy it by hand').waitFor()
  })
})

describe('the list of keys', () => {
  test('marks what has ended and what is about to, and says whose leaving ends what', async () => {
    const space = await bareSpace(dashboard)
    const { subdomain, owner } = space
    const guest = await dashboard.world.person()
    const { url } = await owner.invites.create({ subdomain })
    await guest.invites.accept({ token: new URL(url).hash.slice(1) })
    const issue = (label: string, days: 30 | 90 | null, by = owner) =>
      by.keys.issue({ subdomain, label, scopes: ['pages', 'files_write'], expires_in_days: days })
    await issue('Long over', 30)
    await letPass('20 days')
    await issue('Nearly over', 30)
    await letPass('20 days')
    await issue('An agent that writes the newsletter and keeps the archive', 90, guest)
    await issue('For good', null)
    const { page } = await openKeys(dashboard, space)
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Long over' })
      .getByText('Expired', { exact: true })
      .waitFor()
    await page.getByRole('link', { name: 'Delete Long over' }).waitFor()
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Nearly over' })
      .getByText('Expires next week')
      .waitFor()
    await page.getByText(`Stops if ${guest.handle} leaves`).waitFor()
    await expectAccessible(page, 'keys')
  })

  test('says a fault with its reference, and comes when it is tried again', async () => {
    const space = await dashboard.world.space()
    const bringBack = await breakTable(dashboard.world, 'space_keys')
    const { page } = await openKeys(dashboard, space)
    await page.getByText(/Reference /).waitFor()
    await expectAccessible(page, 'keys-fault')
    await bringBack()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Revoke test' }).waitFor()
  })

  test('counts down where there were too many calls', async () => {
    const space = await dashboard.world.space()
    const window = await dashboard.as(space.owner)
    await rateLimit(window.page, 'keys.list', 30)
    await window.open(`/spaces/${space.subdomain}/keys`)
    await window.page.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor()
    await expectAccessible(window.page, 'keys-busy')
  })
})
