import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { TestSpace } from '../../support/world.ts'
import { refuseAsBusy, takeAway } from '../support/failures.ts'
import { expectAccessible, focused, useScreen } from '../support/screen.ts'

const screen = useScreen()

/** A space that nobody has issued a key in yet. */
const bareSpace = async () => {
  const owner = await screen.world.person()
  const subdomain = `bare-${owner.handle}`
  await owner.spaces.create({ subdomain, name: 'The Garden Club' })
  return { owner, subdomain }
}

const openKeys = async ({ owner, subdomain }: Pick<TestSpace, 'owner' | 'subdomain'>, search = '') => {
  const window = await screen.as(owner)
  await window.open(`/spaces/${subdomain}/keys${search}`)
  await window.page.getByRole('heading', { name: 'Keys', exact: true }).waitFor()
  return window
}

const letPass = (interval: string) =>
  screen.world.service.core.orm.em
    .fork()
    .execute(
      `update space_keys set created_at = created_at - interval '${interval}', expires_at = expires_at - interval '${interval}'`,
    )

const textOf = (page: Page, region: string) => page.getByRole('region', { name: region }).innerText()

describe('issuing a key', () => {
  test('shows it once, ready to be used, and it works', async () => {
    const space = await bareSpace()
    const { page } = await openKeys(space)
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
    await focused(page, 'New key')
  })

  test('has lines for programs, each with the key or without it where it is asked for', async () => {
    const space = await bareSpace()
    const { page } = await openKeys(space, '?issue=true')
    await page.getByLabel('Label').fill('Agent')
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    const key = await textOf(page, 'Key')
    const { apiRoot } = screen.world.service.core.addresses
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
    const { page } = await openKeys(await bareSpace(), '?issue=true')
    const chosen = page.getByRole('checkbox', { checked: true })
    await chosen.first().waitFor()
    for (let left = await chosen.count(); left > 0; left--) await chosen.first().uncheck()
    await page.getByRole('button', { name: 'Issue key' }).click()
    await page.getByText('Must be 1 to 60 characters long.').waitFor()
    await page.getByText('Must name at least one scope.').waitFor()
    await expectAccessible(page, 'keys-issue-invalid')
  })

  test('keeps what was typed while there is no network', async () => {
    const space = await bareSpace()
    const { page, context } = await openKeys(space, '?issue=true')
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

  test('asks before the key is left unseen', async () => {
    const { owner, subdomain } = await bareSpace()
    const { page, open } = await screen.as(owner)
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
})

describe('revoking a key', () => {
  test('can be linked to, says what stops, and ends the key at once', async () => {
    const space = await screen.world.space()
    const { subdomain, owner } = space
    const { id, secret } = await owner.keys.issue({ subdomain, label: 'Old agent', scopes: ['pages'] })
    const { page } = await openKeys(space, `?revoke=${id}`)
    const dialog = page.getByRole('dialog', { name: 'Revoke “Old agent”?' })
    await dialog.getByText('It has never been used.').waitFor()
    await expectAccessible(page, 'keys-revoke')
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The key has been revoked.').waitFor()
    expect((await screen.world.rest(secret).get(`/spaces/${subdomain}`)).status).toBe(401)
    await page.getByRole('heading', { name: 'Old agent' }).waitFor({ state: 'detached' })
    await focused(page, 'New key')
  })

  test('that somebody else has done already is said so', async () => {
    const space = await screen.world.space()
    const { page } = await openKeys(space, '?revoke=k3v9x2m7q4t8w5z6')
    await page.getByText('This key is not there any more').waitFor()
    await expectAccessible(page, 'keys-gone')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.waitForURL(url => url.search === '')
  })

  test('can be thought better of, and the keyboard is where it was', async () => {
    const space = await screen.world.space()
    const { page } = await openKeys(space)
    await page.getByRole('link', { name: 'Revoke test' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await focused(page, 'Revoke')
    expect(await space.owner.keys.list({ subdomain: space.subdomain })).toHaveLength(1)
  })
})

describe('rotating a key', () => {
  test('shows the new one and when the old one stops', async () => {
    const space = await bareSpace()
    const { subdomain, owner } = space
    const old = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    const { page } = await openKeys(space)
    await page.getByRole('link', { name: 'Rotate Build' }).click()
    await page.getByRole('radio', { name: 'In 7 days' }).check()
    await expectAccessible(page, 'keys-rotate')
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByText('The old key stops in 7 days.').waitFor()
    const fresh = await textOf(page, 'Key')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('Replaced, stops in 7 days').waitFor()
    for (const secret of [old.secret, fresh])
      expect((await screen.world.rest(secret).get(`/spaces/${subdomain}/data`)).status).toBe(200)
    expect(await page.getByRole('link', { name: 'Rotate Build' }).count()).toBe(1)
    await expectAccessible(page, 'keys-replaced')
  })

  test('that somebody else has done already says so in the dialog', async () => {
    const space = await bareSpace()
    const { subdomain, owner } = space
    const { id } = await owner.keys.issue({ subdomain, label: 'Build', scopes: ['data'] })
    const { page } = await openKeys(space, `?rotate=${id}`)
    await page.getByRole('button', { name: 'Rotate key' }).waitFor()
    await owner.keys.rotate({ subdomain, key_id: id, overlap_seconds: 3600 })
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('alert').getByText('The key has ended').waitFor()
    expect(await owner.keys.list({ subdomain })).toHaveLength(2)
  })
})

describe('the list of keys', () => {
  test('marks what has ended and what is about to, and says whose leaving ends what', async () => {
    const space = await bareSpace()
    const { subdomain, owner } = space
    const guest = await screen.world.person()
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
    const { page } = await openKeys(space)
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
    const space = await screen.world.space()
    const bringBack = await takeAway(screen.world, 'space_keys')
    const { page } = await openKeys(space)
    await page.getByText(/Reference /).waitFor()
    await expectAccessible(page, 'keys-fault')
    await bringBack()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Revoke test' }).waitFor()
  })

  test('counts down where there were too many calls', async () => {
    const space = await screen.world.space()
    const window = await screen.as(space.owner)
    await refuseAsBusy(window.page, 'keys.list', 30)
    await window.open(`/spaces/${space.subdomain}/keys`)
    await window.page.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor()
    await expectAccessible(window.page, 'keys-busy')
  })
})
