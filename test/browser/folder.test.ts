import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useDev } from '../cli/support/dev.ts'
import { useComputer } from '../cli/support/terminal.ts'
import { launchBrowser } from './support/browser.ts'

const computer = useComputer()
const dev = useDev(computer)
let browser: Browser
let folder: string
let page: Page
let address: string

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const write = async (name: string, content: string) => {
  const file = path.join(folder, name)
  await mkdir(path.dirname(file), { recursive: true })
  // In one step: otherwise, the window could show the file while it is still empty, and lose its place.
  await writeFile(`${folder}.new`, content)
  await rename(`${folder}.new`, file)
}

const TALL = '<div style="height: 5000px"></div>'

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'space-folder-'))
  await write('space.json', '{"address": null}')
  await write(
    'manifest.json',
    JSON.stringify({ format: 'space-site-space', version: 1, pages: { index: { kind: 'static' } } }),
  )
  await write('pages/index.liquid', `<h1>First</h1>${TALL}<script>document.title = "ran"</script>`)
  await write('pages/app.liquid', `<h1>App</h1>${TALL}<script>document.body.append(origin)</script>`)
  const { port } = await dev(folder)
  address = `http://localhost:${port}`
  page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  // A document restores its place only if it is loaded again within a few seconds, which a busy machine may exceed.
  await page.addInitScript('Date.now = () => 0')
  return async () => {
    await page.close()
    await rm(folder, { recursive: true, force: true })
  }
})

it('shows a save in the open window, at the same place, without running scripts of a static page', async () => {
  await page.goto(address)
  await page.evaluate('scrollTo(0, 1500)')
  await write('pages/index.liquid', `<h1>Second</h1>${TALL}<script>document.title = "ran"</script>`)
  await page.locator('h1', { hasText: 'Second' }).waitFor({ state: 'attached' })
  await expect.poll(() => page.evaluate('scrollY')).toBe(1500)
  await expect.poll(async () => [await page.title(), await page.locator('script').count()]).toEqual(['', 0])
})

it('runs a scripted page in a frame of another origin, and shows a save there at the same place', async () => {
  await page.goto(`${address}/app`)
  const frame = page.frameLocator('iframe')
  await frame.getByText(/http:\/\/\w{16}\.pages\.localhost/).waitFor()
  // The frame reports its place to the window, which must know it before it loads again.
  await page.evaluate(`void (window.reported = new Promise(resolve =>
    addEventListener('message', ({ data }) => data?.spaceDev?.[1] === 1500 && resolve())))`)
  await page.frames()[1]!.evaluate('scrollTo(0, 1500)')
  await page.evaluate('window.reported')
  await write('pages/app.liquid', `<h1>New app</h1>${TALL}<script>document.body.append(origin)</script>`)
  await expect.poll(() => frame.locator('h1', { hasText: 'New app' }).count()).toBe(1)
  await expect.poll(() => page.frames()[1]!.evaluate('scrollY')).toBe(1500)
})

it('says over the page what is wrong in the folder, until it is right', async () => {
  await page.goto(address)
  await write('pages/index.liquid', '<h1>Third</h1>\n{% if x %}')
  await page.getByText('This page’s template has a syntax error').waitFor()
  await page.getByText('pages/index.liquid:2:1').waitFor()
  await write('pages/index.liquid', '<h1>Fourth</h1>')
  await write('data/site.json', '{"title" 1}')
  await page.locator('h1', { hasText: 'Fourth' }).waitFor()
  await page.getByText('data/site.json:1:10 A colon is missing').waitFor()
  await write('data/site.json', '{"title": 1}')
  await page.getByText('data/site.json:1:10').waitFor({ state: 'detached' })
  expect(await page.locator('h1').textContent()).toBe('Fourth')
})
