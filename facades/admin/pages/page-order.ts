import type { Outputs } from '../api.ts'
import { isHomePage } from './home-page.ts'

type Page = Outputs['pages']['list']['data'][number]

/** The sort orders of the list of pages, with their labels. */
export const ORDERS = {
  slug: 'By slug',
  title: 'By title',
  changed: 'Recently updated first',
  newest: 'Newest first',
} as const

const byName = new Intl.Collator('en', { numeric: true }).compare

/**
 * Returns the comparison of two pages in an order. The home page is always first. In the order of titles, pages without
 * one are last.
 *
 * @param titles the titles of the documents, by page id
 */
export const comparePages = (order: keyof typeof ORDERS = 'slug', titles: ReadonlyMap<string, string>) => {
  const orders: Record<keyof typeof ORDERS, (a: Page, b: Page) => number> = {
    slug: () => 0,
    title: (a, b) => byName(titles.get(a.id) ?? '\uffff', titles.get(b.id) ?? '\uffff'),
    changed: (a, b) => b.updated_at.localeCompare(a.updated_at),
    newest: (a, b) => b.created_at.localeCompare(a.created_at),
  }
  return (a: Page, b: Page): number =>
    Number(isHomePage(b.slug)) - Number(isHomePage(a.slug)) || orders[order](a, b) || byName(a.slug, b.slug)
}
