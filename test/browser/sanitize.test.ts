import * as fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sanitize } from '../../routers/rendering/sanitize/sanitize.ts'
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

/** One page for each attribute that takes a URL, with every dangerous URL. */
const addressPages = addressPlaces.map(place =>
  runningAddresses.map(address => place.replaceAll('%', () => address)).join('\n'),
)

// A fixed seed, so that a failure is reproducible. The tests in `test/sanitize` generate new pages on every run.
const generated = fc.sample(pages, { numRuns: 150, seed: 20_240_229 })

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser(offline)
})
afterAll(() => browser.close())

/**
 * Sanitizes pages and opens them. `misread` are the pages that the browser and the sanitizer's parser read differently.
 */
async function open(sources: readonly string[]): Promise<Outcome & { misread: string[] }> {
  const clean = sources.map(source => sanitize(source))
  const outcome = await openPages(browser, clean)
  const misread = clean.filter(
    (page, index) => JSON.stringify(outcome.readings[index]) !== JSON.stringify(expectedReading(page)),
  )
  return { ...outcome, misread }
}

describe('sanitized pages in a browser without a policy', () => {
  it.each([
    ['with attacks', fixtures],
    ['with URLs that run a script', addressPages],
    ['generated at random', generated],
  ])('%s run nothing, send nothing, and are parsed as the sanitizer parses them', async (_, sources) => {
    const { events, misread } = await open(sources)
    expect(events).toEqual([])
    expect(misread).toEqual([])
  })
})

describe('the detection of attacks', () => {
  const attacks: Array<[string, string, RegExp]> = [
    ['a script', '<script>alert(1)</script>', /^ran alert/],
    ['an event', '<img src=/missing.png onerror=alert(1)>', /^ran alert/],
    ['a URL that runs on a click', '<a href="java&#9;script:alert(1)">x</a>', /^ran alert/],
    [
      'a URL that opens a window',
      '<a target=_blank rel=opener href="javascript:alert(1)">x</a>',
      /^ran alert/,
    ],
    ['a link after another link', '<a href=/b>x</a><a href="javascript:alert(1)">x</a>', /^ran alert/],
    ['a frame', '<iframe src=/beacon></iframe>', /^GET \/beacon/],
    ['a ping', '<a href=#x ping=/beacon>x</a>', /^POST \/beacon/],
    ['a form', '<form action=/beacon method=post><button>x</button></form>', /^POST \/beacon/],
    ['a refresh', '<meta http-equiv=refresh content="0;url=/beacon">', /^GET \/beacon/],
    ['foreign content', '<svg onload=alert(1)></svg>', /^ran alert/],
    ['a mutation', '<title/><style></title><img src=/missing onerror=alert(1)></style>', /^ran alert/],
  ]
  it('detects every kind of attack and the page that it came from', async () => {
    const unseenIn = (events: readonly string[]) =>
      attacks.filter(
        ([, , event], index) => !events.some(line => event.test(line) && line.endsWith(`/page/${index}`)),
      )
    const pages = attacks.map(([, html]) => html)
    const { events } = await openPages(browser, pages, events => unseenIn(events).length === 0)
    const unseen = unseenIn(events)
    expect(unseen.map(([name]) => name)).toEqual([])
  })

  it('detects attacks in many of the fixtures when they are not sanitized', async () => {
    const { events } = await openPages(browser, fixtures)
    const acting = new Set(events.map(event => /\/page\/\d+/.exec(event)?.[0]))
    expect(acting.size).toBeGreaterThan(fixtures.length / 3)
  })
})
