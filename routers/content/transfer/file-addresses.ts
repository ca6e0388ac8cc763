import { digestOfBody } from '../../../db/queries/items.ts'
import type { Addresses } from '../../core/addresses.ts'
import { fits } from '../../core/fields.ts'
import { invalid } from '../../core/problem.ts'
import { rules } from '../../core/rules.ts'
import type { Archive, ArchivedPage } from './read-archive.ts'

/**
 * Replaces the addresses of the exported files in the bodies of an archive.
 *
 * @throws `validation_failed` for a body that becomes too long. Before the replacement, no body is too long.
 */
export const withAddressesReplaced = async <Content extends Archive>(
  archive: Content,
  ids: ReadonlyMap<string, string>,
  to: Addresses,
): Promise<Content> => {
  const replaced = fileAddressReplacer({ from: archive.filesDomain, ids, to })
  const { part, data } = rules
  const pages: ArchivedPage[] = []
  for (const one of archive.pages) pages.push(one.body.hasAddress ? await withReplaced(one, replaced) : one)
  return {
    ...archive,
    pages,
    parts: archive.parts.map(({ html: archived, ...one }) => {
      const html = replaced(archived)
      requireShort(
        fits(html, part.html_max_length),
        `parts/${one.name}`,
        `${part.html_max_length} characters`,
      )
      return { ...one, html }
    }),
    records: archive.records.map(record => {
      const value = replacedInJson(replaced, record.value)
      const isShort = Buffer.byteLength(value) <= data.value_max_bytes
      requireShort(isShort, `data/${record.key}`, `${data.value_max_bytes} bytes`)
      return { ...record, value }
    }),
  }
}

const withReplaced = async (page: ArchivedPage, replaced: Replace): Promise<ArchivedPage> => {
  const load = async () => {
    const { html, includes } = await page.body.load()
    return { html: replaced(html), includes }
  }
  const { html } = await load()
  const max = rules.page.html_max_length
  requireShort(fits(html, max), `pages/${page.slug}`, `${max} characters`)
  return { ...page, body: { ...page.body, digest: digestOfBody(html), load } }
}

const requireShort = (isShort: boolean, path: string, max: string): void => {
  if (!isShort) throw invalid(path, `must have at most ${max} after its file addresses are replaced`)
}

/** Replaces addresses in JSON text. */
const replacedInJson = (replaced: Replace, json: string): string => {
  const text = replaced(json)
  // Parse the result: two names in an object can have become equal, and parsing keeps only one of them.
  return text === json ? json : JSON.stringify(JSON.parse(text))
}

type Replace = (body: string) => string

/** How to replace the addresses of the exported files with the addresses of the imported files. */
interface Replacement {
  /** The domain of the addresses in the archive, with its port: letters, digits, dots, hyphens and a colon. */
  from: string
  /** The ids of the imported files, by their id in the archive. */
  ids: ReadonlyMap<string, string>
  to: Pick<Addresses, 'scheme' | 'filesDomain'>
}

/**
 * Returns a function that replaces the addresses of files in a body. Addresses of other files stay the same, and so do
 * addresses that a template puts together from several strings.
 */
const fileAddressReplacer = ({ from, ids, to }: Replacement): Replace => {
  const address = new RegExp(
    String.raw`(https?:)?//([2-9a-z]{16})\.${from.replaceAll('.', '\\.')}(?![\w-]|\.[\w-]|:\d)`,
    'g',
  )
  const isMoved = from !== to.filesDomain
  return body =>
    // Most bodies have no such address, and searching for the domain alone is faster.
    body.includes(`.${from}`)
      ? body.replaceAll(address, (found: string, scheme: string | undefined, archived: string) => {
          const id = ids.get(archived)
          if (id === undefined) return found
          return `${scheme && isMoved ? `${to.scheme}:` : (scheme ?? '')}//${id}.${to.filesDomain}`
        })
      : body
}
