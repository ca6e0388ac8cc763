import type { Page } from 'playwright-core'
import { beforeEach, expect } from 'vitest'
import { newSite, type TestSite } from '../../delivery/support/site.ts'
import type { Person } from '../../support/test-service.ts'
import type { Dashboard } from './dashboard.ts'

/** Matches the label of the text field for the body of a page or part. */
export const BODY = /^(Page|Part) body$/

export const text = (page: Page) => page.locator('.cm-content')

export const restored = (page: Page) => page.getByText('Restored your unsaved changes')

export const confirmDiscard = (page: Page) =>
  page.getByRole('button', { name: 'Discard', exact: true }).click()

/** Waits until the browser's local storage contains a string. */
export const isStored = async (page: Page, content: string): Promise<void> => {
  await expect.poll(() => page.evaluate<string>('Object.values(localStorage).join()')).toContain(content)
}

/**
 * Keeps drafts from reaching the service, so that only the browser has them. Otherwise, an early draft could reach the
 * service just when the page is reloaded, and the service's time of that draft could be later than that of the complete
 * draft in the browser.
 *
 * @returns a function that ends this
 */
export const keepFromService = async (page: Page): Promise<() => Promise<void>> => {
  const drafts = /\/trpc\/unsaved\.keep/
  await page.route(drafts, route => route.abort().catch(() => {}))
  return () => page.unroute(drafts)
}

/** A site for each test, and what its owner does in the dashboard. */
export interface Editing {
  readonly site: TestSite
  readonly owner: Person
  readonly subdomain: string
  /** Opens a view of the space, by default as the owner. */
  open: (path: string, person?: Person) => Promise<Page>
  createPage: () => Promise<{ id: string }>
  /** Waits until the owner's draft on the service contains a string. */
  isKept: (kind: 'page' | 'part' | 'record', thing: string, content: string) => Promise<void>
}

/** Creates a site before each test. */
export const useEditing = (dashboard: Dashboard): Editing => {
  let site: TestSite
  beforeEach(async () => {
    site = await newSite(dashboard.service)
  })
  return {
    get site() {
      return site
    },
    get owner() {
      return site.space.owner
    },
    get subdomain() {
      return site.space.subdomain
    },
    open: async (path, person = site.space.owner) => {
      const window = await dashboard.as(person)
      await window.open(`/spaces/${site.space.subdomain}${path}`)
      return window.page
    },
    createPage: () => {
      const { owner, subdomain } = site.space
      return owner.pages.create({ subdomain, slug: 'home', kind: 'static', html: '<p>first</p>' })
    },
    isKept: async (kind, thing, content) => {
      const { owner, subdomain } = site.space
      await expect
        .poll(async () => JSON.stringify((await owner.unsaved.get({ subdomain, kind, thing })).draft))
        .toContain(content)
    },
  }
}
