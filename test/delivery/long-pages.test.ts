import { beforeEach, describe, expect, it } from 'vitest'
import { useTestService } from '../support/test-service.ts'
import { newSite, type TestSite } from './support/site.ts'

const service = useTestService()
let site: TestSite

beforeEach(async () => {
  site = await newSite(service)
})

/**
 * Total length of the rows on a page, in characters. The processor time for a page is limited, and a process takes twice
 * as long for its first page, so a page of this test needs about a fifth of it. `test/bench/rows.ts` measures longer
 * pages.
 */
const PAGE = 300_000
/** Total length of the rows in a record, in characters. */
const RECORD = 60_000

interface Rows {
  name: string
  row: string
  /** The row as it is delivered. */
  delivered: string
  container: 'table' | 'ul' | 'dl'
}

const CELL = '<a href="/item">An <b>item</b></a>'
const ROWS: Rows[] = [
  {
    name: 'table rows',
    row: `<tr><td>${CELL}</td><td class="n">3</td></tr>`,
    delivered: `<tr><td>${CELL}</td><td class="n">3</td></tr>`,
    container: 'table',
  },
  {
    name: 'table rows without end tags',
    row: `<tr><td>${CELL}<td class=n>3`,
    delivered: `<tr><td>${CELL}</td><td class="n">3</td></tr>`,
    container: 'table',
  },
  {
    name: 'list items and paragraphs without end tags',
    row: `<li><p>${CELL}<p>3`,
    delivered: `<li><p>${CELL}</p><p>3</p></li>`,
    container: 'ul',
  },
  {
    name: 'definitions without end tags',
    row: `<dt>${CELL}<dd>3`,
    delivered: `<dt>${CELL}</dt><dd>3</dd>`,
    container: 'dl',
  },
  {
    name: 'table rows with SVG icons',
    row: `<tr><td><svg viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>${CELL}</td></tr>`,
    delivered: `<tr><td>${CELL}</td></tr>`,
    container: 'table',
  },
  {
    name: 'list items with labels and checkboxes',
    row: `<li><label><input type="checkbox"> ${CELL}</label></li>`,
    delivered: `<li> ${CELL}</li>`,
    container: 'ul',
  },
  {
    name: 'rare entities and Windows line breaks',
    row: `<li>&frac12; AT&T ${CELL}</li>\r\n`,
    delivered: `<li>½ AT&amp;T ${CELL}</li>\n`,
    container: 'ul',
  },
]

describe('a static page of 300 kB', () => {
  it.each(ROWS)('opens with $name', async ({ row, delivered, container }) => {
    const inRecord = Math.floor(RECORD / row.length)
    await site.data('rows', row.repeat(inRecord))
    const times = Math.ceil(PAGE / (inRecord * row.length))
    const rows = `{% for n in (1..${times}) %}{{ data.rows | raw }}{% endfor %}`
    await site.page('all', `<!doctype html><${container}>${rows}</${container}>`)
    const { status, text } = await site.open('/all')
    expect([status, text.split(delivered).length - 1]).toEqual([200, inRecord * times])
  })
})
