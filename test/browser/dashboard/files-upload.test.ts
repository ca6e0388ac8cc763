import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { rules } from '../../../routers/api/rules.ts'
import { testPng } from '../../support/png.ts'
import type { Person } from '../../support/test-service.ts'
import { type Appearance, expectAccessible, useDashboard } from '../support/dashboard.ts'

const dashboard = useDashboard()

const MB = 2 ** 20
const file = (name: string, size: number) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.alloc(size, 'x'),
})

/** Opens the files view of a new space. */
const filesView = async (appearance?: Appearance) => {
  const { owner, subdomain } = await dashboard.service.createSpace()
  const window = await dashboard.as(owner, appearance)
  await window.open(`/spaces/${subdomain}/files`)
  const upload = async (...files: ReturnType<typeof file>[]) => {
    const chooser = window.page.waitForEvent('filechooser')
    await window.page.getByRole('button', { name: 'Upload files' }).click()
    await (await chooser).setFiles(files)
  }
  const row = (name: string) =>
    window.page.getByRole('region', { name: 'Uploads' }).getByRole('listitem').filter({ hasText: name })
  return { ...window, owner, subdomain, upload, row }
}

/**
 * Returns a function that limits the window's upload rate, in bytes per second. For `none`, the window is offline; for
 * `full`, its rate is unlimited.
 */
const connection = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  return (uploadThroughput: number | 'none' | 'full') =>
    session.send('Network.emulateNetworkConditions', {
      offline: uploadThroughput === 'none',
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: typeof uploadThroughput === 'number' ? uploadThroughput : -1,
    })
}

const storedNames = async (owner: Person, subdomain: string) =>
  (await owner.files.list({ subdomain })).data.map(({ name }) => name).toSorted()

describe('uploading', () => {
  test('sends several files, and refuses large and empty files before sending', async () => {
    const { page, upload, row, owner, subdomain } = await filesView()
    const sent: number[] = []
    page.on('request', request => {
      if (request.url().includes('/files.create')) sent.push(request.postDataBuffer()?.length ?? 0)
    })
    await upload(
      file('one.bin', 10),
      file('two.bin', 20_000),
      file('huge.bin', rules.file.max_bytes + 1),
      file('empty.bin', 0),
      file('three.bin', 30),
    )
    await row('huge.bin').getByText('Files can be up to 10 MB; this one is slightly larger.').waitFor()
    await row('empty.bin').getByText('The file is empty').waitFor()
    await page.getByText('3 files uploaded, 2 files not uploaded').first().waitFor()
    await expectAccessible(page, 'files-upload-refused')
    await expect.poll(() => storedNames(owner, subdomain)).toEqual(['one.bin', 'three.bin', 'two.bin'])
    expect(sent).toHaveLength(3)
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => page.getByRole('region', { name: 'Uploads' }).isVisible()).toBe(false)
  })

  test('sends a file of the maximum size unchanged', async () => {
    const { upload, row, owner, subdomain } = await filesView()
    await upload(file('largest.bin', rules.file.max_bytes))
    await row('largest.bin').getByText('uploaded').waitFor()
    const { data } = await owner.files.list({ subdomain })
    expect(data).toMatchObject([{ name: 'largest.bin', size: rules.file.max_bytes }])
  })

  test('shows the progress, and can be cancelled and retried', async () => {
    const { page, upload, row, owner, subdomain } = await filesView()
    const limit = await connection(page)
    await limit(100_000)
    // Two files are sent at a time. Together, they take longer than any test, so that the last file waits until one of them
    // is cancelled.
    await upload(file('slow.bin', 9 * MB), file('next.bin', 9 * MB), file('last.bin', 10))
    const bar = row('slow.bin').getByRole('progressbar')
    const share = async () => Number(await bar.getAttribute('aria-valuenow'))
    await expect.poll(share).toBeGreaterThan(2)
    const earlier = await share()
    await expect.poll(share).toBeGreaterThan(earlier)
    await row('last.bin').getByText('waiting').waitFor()
    await expectAccessible(page, 'files-uploading')

    await page.getByRole('button', { name: 'Cancel slow.bin' }).click()
    await row('slow.bin').getByText('Cancelled').waitFor()
    await limit('full')
    await page.getByText('2 files uploaded, 1 file cancelled').first().waitFor()
    await expect.poll(() => storedNames(owner, subdomain)).toEqual(['last.bin', 'next.bin'])
    expect(dashboard.service.log.filter(({ level }) => Number(level) >= 50)).toEqual([])

    await page.getByRole('button', { name: 'Try again: slow.bin' }).click()
    await row('slow.bin').getByText('uploaded').waitFor()
    await expect.poll(() => storedNames(owner, subdomain)).toEqual(['last.bin', 'next.bin', 'slow.bin'])
  })

  test('keeps a file for a retry if the connection is lost', async () => {
    const { page, upload, row, owner, subdomain } = await filesView()
    const limit = await connection(page)
    await limit(50_000)
    // The upload would take minutes, so that even a slow machine can interrupt it.
    await upload(file('kept.bin', 9 * MB))
    await expect
      .poll(() => row('kept.bin').getByRole('progressbar').getAttribute('aria-valuenow'))
      .not.toBe('0')
    await limit('none')
    await row('kept.bin').getByText('You are offline. The file is kept here').waitFor()
    await expectAccessible(page, 'files-upload-offline')
    await limit('full')
    await page.getByRole('button', { name: 'Try again: kept.bin' }).click()
    await row('kept.bin').getByText('uploaded').waitFor()
    await expect.poll(() => storedNames(owner, subdomain)).toEqual(['kept.bin'])
  })

  test('does not store a file twice if only the response was lost', async () => {
    const { page, upload, row, owner, subdomain } = await filesView()
    await page.route('**/trpc/files.create', async route => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await upload(file('once.bin', 1000))
    await row('once.bin').getByText('The connection was lost. The file is kept here').waitFor()
    await page.unroute('**/trpc/files.create')
    await page.getByRole('button', { name: 'Try again: once.bin' }).click()
    await row('once.bin').getByText('uploaded').waitFor()
    await expect.poll(() => storedNames(owner, subdomain)).toEqual(['once.bin'])
  })

  test('asks for confirmation before leaving while an upload is running', async () => {
    const { page, upload, row } = await filesView()
    const limit = await connection(page)
    await limit(5_000)
    await upload(file('slow.bin', 2 * MB))
    await row('slow.bin').getByRole('progressbar').waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('dialog', { name: 'Stop uploading?' }).waitFor()
    await expectAccessible(page, 'files-leaving')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Stay' }).click()
    await row('slow.bin').getByRole('progressbar').waitFor()
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(url => url.pathname.endsWith('/keys'))
  })
})

describe('the quota', () => {
  test('includes running uploads, and is checked before an upload is sent', async () => {
    const { page, upload, row, owner, subdomain, open } = await filesView()
    for (let count = 0; count < 10; count++) {
      const bytes = Buffer.alloc(rules.file.max_bytes - (count === 9 ? 100 : 0), 'x')
      const content = bytes.toString('base64')
      await owner.files.create({ subdomain, name: `full${count}.bin`, content, encoding: 'base64' })
    }
    await open(`/spaces/${subdomain}/files`)
    await page.getByRole('list', { name: 'Files' }).waitFor()
    await upload(file('fits.bin', 60), file('does-not.bin', 60))
    await row('fits.bin').getByText('uploaded').waitFor()
    await row('does-not.bin').getByText('free space is 40 bytes. Delete files you no longer need').waitFor()
    await expectAccessible(page, 'files-quota')
    await page.getByRole('button', { name: 'More actions for full0.bin' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete file' }).click()
    await page.getByRole('link', { name: 'full0.bin' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Try again: does-not.bin' }).click()
    await row('does-not.bin').getByText('uploaded').waitFor()
    await expect.poll(() => storedNames(owner, subdomain)).toContain('does-not.bin')
  })
})

describe('files', () => {
  test('can be dropped anywhere in the window', async () => {
    const { page, row, owner, subdomain } = await filesView()
    await page.getByRole('button', { name: 'Upload files' }).waitFor()
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }))
      return transfer
    })()`)
    await page.dispatchEvent('main', 'dragenter', { dataTransfer: data })
    await page.getByText('Drop to upload to').waitFor()
    await expectAccessible(page, 'files-drop')
    await page.dispatchEvent('main', 'drop', { dataTransfer: data })
    await row('dropped.txt').getByText('uploaded').waitFor()
    await expect.poll(() => page.getByText('Drop to upload to').count()).toBe(0)
    await expect.poll(() => storedNames(owner, subdomain)).toEqual(['dropped.txt'])
  })

  test('can be dropped as a folder with subfolders; hidden files are left out', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'dropped-'))
    await mkdir(path.join(folder, 'inner'))
    for (const name of ['one.txt', 'inner/two.txt', '.hidden']) await writeFile(path.join(folder, name), name)
    const { page, row, owner, subdomain } = await filesView()
    await page.getByRole('button', { name: 'Upload files' }).waitFor()
    const session = await page.context().newCDPSession(page)
    const data = { items: [], files: [folder], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
    await row('one.txt').getByText('uploaded').waitFor()
    await row('two.txt').getByText('uploaded').waitFor()
    await expect.poll(() => storedNames(owner, subdomain)).toEqual(['one.txt', 'two.txt'])
    await rm(folder, { recursive: true })
  })

  test('get a generated name if they are pasted pictures', async () => {
    const { page, owner, subdomain } = await filesView()
    const png = await testPng({ width: 20, height: 20 })
    await page.getByRole('button', { name: 'Upload files' }).waitFor()
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob('${png}'), sign => sign.charCodeAt(0))
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }))
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    }`)
    await page.getByRole('link', { name: /^pasted-/ }).waitFor()
    await expect
      .poll(() => storedNames(owner, subdomain))
      .toEqual([expect.stringMatching(/^pasted-[\d-]+\.png$/)])
  })
})

describe('the files view', () => {
  test('shows an error if it cannot be loaded, and loads on a retry', async () => {
    const { page, context, owner, subdomain } = await filesView({ isLive: false })
    await page.getByRole('heading', { name: 'Upload your first file' }).waitFor()
    await dashboard.service.core.database.orm.em.getConnection().execute('alter table files rename to hidden')
    try {
      const other = await context.newPage()
      await other.goto(page.url())
      await other.getByRole('heading', { name: 'Something broke on our side' }).waitFor()
      await other.getByText('Reference').waitFor()
      await expectAccessible(other, 'files-fault')
      await dashboard.service.core.database.orm.em
        .getConnection()
        .execute('alter table hidden rename to files')
      await owner.files.create({ subdomain, name: 'there.txt', content: 'x', encoding: 'text' })
      await other.getByRole('button', { name: 'Try again' }).click()
      await other.getByRole('link', { name: 'there.txt' }).waitFor()
    } finally {
      await dashboard.service.core.database.orm.em
        .getConnection()
        .execute('alter table if exists hidden rename to files')
    }
  })
})
