import type { Frame, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { newSite, type TestSite } from '../delivery/support/site.ts'
import { useReaderBrowser } from './support/delivery.ts'
import { font, picture, sound, video } from './support/media.ts'

const readerBrowser = useReaderBrowser()
let site: TestSite

beforeEach(async () => {
  site = await newSite(readerBrowser.service)
})

/**
 * Returns the frame with a page's content: the only child frame for a scripted page, the window's main frame
 * otherwise.
 */
const contentOf = (page: Page): Frame => page.frames()[1] ?? page.mainFrame()

/** Waits until an expression is true. Polls from the test, because static pages run no scripts. */
const eventually = async (frame: Frame, expression: string): Promise<void> => {
  await expect.poll(() => frame.evaluate(expression)).toBe(true)
}

/** Seeks to a position in seconds. */
const seek = async (frame: Frame, selector: string, second: number): Promise<void> => {
  const medium = `document.querySelector('${selector}')`
  await eventually(frame, `${medium}.readyState > 0`)
  await frame.evaluate(`${medium}.muted = true; ${medium}.currentTime = ${second}`)
  await eventually(
    frame,
    `!${medium}.seeking && ${medium}.readyState > 1 && ${medium}.currentTime === ${second}`,
  )
}

describe.each(['scripted', 'static'] as const)('in a %s page', kind => {
  it('styles, fonts and pictures from files work', async () => {
    const { url: fontUrl } = await site.file('a.ttf', font())
    const { url: png } = await site.file('a.png', await picture(30, 20))
    const { url: svg } = await site.file(
      'a.svg',
      '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="40"><rect width="9" height="9"/></svg>',
    )
    const { url: css } = await site.file(
      'a.css',
      `@font-face { font-family: Test; src: url(${fontUrl}) } p { font-family: Test; color: rgb(1, 2, 3); background: url(${png}) }`,
    )
    const { url } = await site.page(
      'page',
      `<link rel="stylesheet" href="${css}"><p>text</p><img src="${png}"><img src="${svg}">`,
      kind,
    )
    const { page } = await readerBrowser.window()
    await page.goto(url)
    const frame = contentOf(page)
    // The frame of a scripted page is lazy: the browser need not wait for it.
    await eventually(frame, `location.href !== 'about:blank' && document.readyState === 'complete'`)
    expect(await frame.evaluate(`getComputedStyle(document.querySelector('p')).color`)).toBe('rgb(1, 2, 3)')
    expect(await frame.evaluate(`[...document.images].map(image => image.naturalWidth)`)).toEqual([30, 50])
    expect(
      await frame.evaluate(`document.fonts.ready.then(fonts => [...fonts].map(font => font.status))`),
    ).toEqual(['loaded'])
  })

  it('a sound can be played from a later position before it has loaded completely', async () => {
    const { url: wav } = await site.file('a.wav', sound(55))
    const { url } = await site.page('page', `<audio src="${wav}" controls preload="metadata"></audio>`, kind)
    const { page } = await readerBrowser.window()
    const ranges: (string | undefined)[] = []
    page.on('response', response => {
      if (response.url().startsWith(wav)) ranges.push(response.headers()['content-range'])
    })
    await page.goto(url)
    await seek(contentOf(page), 'audio', 50)
    await expect
      .poll(() => ranges)
      .toContainEqual(expect.stringMatching(/^bytes [1-9]\d*-9702043\/9702044$/) as string)
  })

  it('a video plays, and can be played from a later position', async () => {
    const { page } = await readerBrowser.window()
    const { url: mp4 } = await site.file('a.mp4', await video(page, 3))
    const { url } = await site.page('page', `<video src="${mp4}" controls></video>`, kind)
    await page.goto(url)
    const frame = contentOf(page)
    await seek(frame, 'video', 2)
    expect(await frame.evaluate(`document.querySelector('video').videoWidth`)).toBe(320)
    await frame.evaluate(`void document.querySelector('video').play()`)
    await eventually(frame, `document.querySelector('video').currentTime > 2`)
  })

  it('links can scroll the page, open a page in the whole window, and open windows without a sandbox', async () => {
    const { url: target } = await site.page(
      'target',
      '<script>console.log("ran target")</script><p>here</p>',
      'scripted',
    )
    const { url } = await site.page(
      'page',
      `<a id="below" href="#far">below</a><a id="window" target="_blank" href="${target}">new window</a>
       <a id="top" target="_top" href="/target">whole window</a><p style="margin-top: 3000px" id="far">far</p>`,
      kind,
    )
    const { context, page, events } = await readerBrowser.window()
    await page.goto(url)
    const frame = contentOf(page)
    await frame.locator('#below').click()
    await expect.poll(() => frame.evaluate('scrollY')).toBeGreaterThan(1000)
    const opened = context.waitForEvent('page')
    await frame.locator('#window').click()
    const other = await opened
    await other.waitForURL(target)
    await expect.poll(() => events).toEqual(['ran target'])
    await page.bringToFront()
    await frame.locator('#top').click()
    await page.waitForURL(target)
    await expect.poll(() => events).toEqual(['ran target', 'ran target'])
  })

  it('files that browsers do not display are downloaded under their own names', async () => {
    const { url: zip } = await site.file('Grüße, "100%" 日本.zip', 'not really')
    const { url } = await site.page('page', `<a href="${zip}">get</a>`, kind)
    const { page } = await readerBrowser.window()
    await page.goto(url)
    const download = page.waitForEvent('download')
    await contentOf(page).getByText('get').click()
    // The browser replaces characters that are not allowed in file names.
    expect((await download).suggestedFilename()).toMatch(/^Grüße, .100%. 日本\.zip$/)
  })
})

describe('the fragment of a scripted page’s address', () => {
  const parts = `<p id="first">1</p><p style="height: 3000px"></p><p id="second">2</p>`

  it('scrolls to the element that the fragment names, and does not make the page load twice', async () => {
    const { url } = await site.page('long', parts, 'scripted')
    const { page } = await readerBrowser.window()
    const loaded: string[] = []
    page.on('response', response => void loaded.push(response.url()))
    await page.goto(`${url}?a=1#second`)
    await expect
      .poll(() => contentOf(page).evaluate(`[location.search, location.hash, scrollY > 0]`))
      .toEqual(['?a=1', '#second', true])
    expect(loaded.filter(address => address.includes('.pages.'))).toHaveLength(1)
  })

  it('can change without reloading the page; Back restores the earlier fragment, and Back again leaves the page', async () => {
    const { url } = await site.page('long', `${parts}<script>window.mark = 1</script>`, 'scripted')
    const { page } = await readerBrowser.window()
    await page.goto('about:blank')
    await page.goto(url)
    await eventually(contentOf(page), `window.mark === 1`)
    await contentOf(page).evaluate(`window.mark = 2`)
    await page.evaluate(`location.hash = 'second'`)
    await eventually(contentOf(page), `location.hash === '#second' && scrollY > 0`)
    expect(await contentOf(page).evaluate(`window.mark`)).toBe(2)
    await page.goBack()
    await eventually(contentOf(page), `location.hash === ''`)
    await page.goBack()
    await expect.poll(() => page.url()).toBe('about:blank')
  })
})

describe('a file opened directly', () => {
  it('is shown if it is a picture', async () => {
    const { url } = await site.file('a.png', await picture(30, 20))
    const { page } = await readerBrowser.window()
    await page.goto(url)
    expect(await page.evaluate('document.images[0].naturalWidth')).toBe(30)
  })

  it('is shown with its styles and embedded pictures if it is an SVG', async () => {
    const embedded = `data:image/png;base64,${(await picture(3, 2)).toString('base64')}`
    const { url } = await site.file(
      'a.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" width="50" height="40"><style>rect { fill: rgb(1, 2, 3) }</style>
       <rect width="9" height="9"/><image href="${embedded}" width="9" height="9"/></svg>`,
    )
    const { page } = await readerBrowser.window()
    const refused: string[] = []
    page.on('console', message => refused.push(message.text()))
    await page.goto(url)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('rect')).fill`)).toBe('rgb(1, 2, 3)')
    expect(refused.filter(text => text.includes('Content Security Policy'))).toEqual([])
  })

  it('plays if it is a video', async () => {
    const { page } = await readerBrowser.window()
    const { url } = await site.file('a.mp4', await video(page, 2))
    await page.goto(url)
    await seek(page.mainFrame(), 'video', 1)
    expect(await page.evaluate(`document.querySelector('video').videoWidth`)).toBe(320)
  })

  it('is read as UTF-8 if it is text', async () => {
    const { url } = await site.file('a.txt', 'Grüße <b>日本</b>')
    const { page } = await readerBrowser.window()
    await page.goto(url)
    await expect.poll(() => page.locator('body').textContent()).toBe('Grüße <b>日本</b>')
  })
})
