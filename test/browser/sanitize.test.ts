import * as fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sanitize } from '../../routers/liquid/sanitize/sanitize.ts'
import { active } from '../sanitize/fixtures/active.ts'
import { addressPlaces, runningAddresses } from '../sanitize/fixtures/addresses.ts'
import { mutation } from '../sanitize/fixtures/mutation.ts'
import { pages } from '../sanitize/pages.ts'
import { launchBrowser } from './support/browser.ts'
import type { Outcome } from './support/hazards.ts'
import { offline, openPages } from './support/hazards.ts'
import { expectedReading } from './support/page-tree.ts'

const fixtures = Object.values({ ...active, ...mutation })
  .flat()
  .map(([, html]) => html)

/** Each place with every address in it, one after the other on a page. */
const addressPages = addressPlaces.map(place =>
  runningAddresses.map(address => place.replaceAll('%', () => address)).join('\n'),
)

// A fixed seed: a failure in the browser can be seen again. The other tests make up new pages at every run.
const madeUp = fc.sample(pages, { numRuns: 150, seed: 20_240_229 })

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser(offline)
})
afterAll(() => browser.close())

/** Opens sanitized pages and holds how the browser read each against how the sanitizer's parser reads it. */
async function open(sources: readonly string[]): Promise<Outcome & { misread: string[] }> {
  const clean = sources.map(source => sanitize(source))
  const outcome = await openPages(browser, clean)
  const misread = clean.filter(
    (page, index) => JSON.stringify(outcome.readings[index]) !== JSON.stringify(expectedReading(page)),
  )
  return { ...outcome, misread }
}

describe('in a browser that would let them, sanitized pages', () => {
  it.each([
    ['with attacks', fixtures],
    ['with addresses that run something', addressPages],
    ['made up of anything', madeUp],
  ])('%s run nothing, send nothing, and are read as they were checked', async (_, sources) => {
    const { deeds, misread } = await open(sources)
    expect(deeds).toEqual([])
    expect(misread).toEqual([])
  })
})

describe('the watch kept over them', () => {
  const attacks: Array<[string, string, RegExp]> = [
    ['a script', '<script>alert(1)</script>', /^ran alert/],
    ['an event', '<img src=/missing.png onerror=alert(1)>', /^ran alert/],
    ['an address that runs on a click', '<a href="java&#9;script:alert(1)">x</a>', /^ran alert/],
    ['one that opens a window', '<a target=_blank rel=opener href="javascript:alert(1)">x</a>', /^ran alert/],
    ['a link behind another', '<a href=/b>x</a><a href="javascript:alert(1)">x</a>', /^ran alert/],
    ['a frame', '<iframe src=/beacon></iframe>', /^GET \/beacon/],
    ['a ping', '<a href=#x ping=/beacon>x</a>', /^POST \/beacon/],
    ['a form', '<form action=/beacon method=post><button>x</button></form>', /^POST \/beacon/],
    ['a refresh', '<meta http-equiv=refresh content="0;url=/beacon">', /^GET \/beacon/],
    ['foreign content', '<svg onload=alert(1)></svg>', /^ran alert/],
    ['a mutation', '<title/><style></title><img src=/missing onerror=alert(1)></style>', /^ran alert/],
  ]
  it('sees each way of acting that was left in a page, and in which page', async () => {
    const { deeds } = await openPages(
      browser,
      attacks.map(([, html]) => html),
    )
    const unseen = attacks.filter(
      ([, , deed], index) => !deeds.some(line => deed.test(line) && line.endsWith(`/page/${index}`)),
    )
    expect(unseen.map(([name]) => name)).toEqual([])
  })

  it('sees most of the attacks when nothing is taken out of them', async () => {
    const { deeds } = await openPages(browser, fixtures)
    const acting = new Set(deeds.map(deed => /\/page\/\d+/.exec(deed)?.[0]))
    expect(acting.size).toBeGreaterThan(fixtures.length / 3)
  })
})
