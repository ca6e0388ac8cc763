import { addresses } from '../../../routers/api/addresses.ts'
import type { Renderer, RenderOutcome, TemplateError } from '../../../routers/api/renderer.ts'
import { isJsonText, type Json } from '../../../routers/content/data/json.ts'
import { shapeWarnings } from '../../../routers/content/data/shape-warnings.ts'
import { snapshotOf } from '../../../routers/content/previews/snapshot.ts'
import { checkJson } from '../../shared/check-json.ts'
import { hintSentence, linkSentence, removalText } from '../../shared/review-sentences.ts'
import { LocalContent } from './content.ts'
import { type Finding, positionAt } from './finding.ts'
import type { LocalSite, LocalText } from './read-site.ts'

/** Number of pages that are evaluated at the same time. */
const TOGETHER = 4

type Where = TemplateError['where'] | { body: 'record'; name: string; path?: string }

/**
 * Checks every page, part, record and file of a folder: what the service would not take, errors that readers would see, and
 * the hints that editors of the dashboard show. A part that no page includes is evaluated alone.
 *
 * @returns the findings, by file and position
 */
export const checkSite = async (site: LocalSite, renderer: Renderer): Promise<Finding[]> => {
  const snapshot = snapshotOf(ADDRESSES, new LocalContent(site, ADDRESSES, path => path).at(''))
  const findings = [...site.findings, ...site.records.flatMap(recordNotes)]
  const texts = new Map(
    [...site.pages, ...site.parts, ...site.records].map(text => [text.path, text] as const),
  )
  const evaluate = async (page: { slug: string; kind: 'scripted' | 'static'; html: string }) =>
    renderer.render({
      space: 'folder',
      account: 'folder',
      revision: 'checked',
      snapshot: async () => snapshot,
      body: async () => page.html,
      page: {
        id: `${page.slug} ${page.html}`,
        slug: page.slug,
        url: `${snapshot.space.url}/${page.slug}`,
        kind: page.kind,
        reviewed: true,
      },
    })
  await together(site.pages, async ({ name: slug, kind, body: html, path }) => {
    findings.push(...findingsOf(await evaluate({ slug, kind, html }), texts, path))
  })
  await together(await unusedParts(site, renderer), async ({ name, path }) => {
    const outcome = await evaluate({ slug: 'index', kind: 'scripted', html: `{% include '${name}' %}` })
    // What is found in other parts, or in the page that only exists here, is not about the part.
    findings.push(...findingsOf(outcome, texts, null).filter(({ file }) => file === texts.get(path)!.file))
  })
  const unique = new Map(findings.map(finding => [JSON.stringify(finding), finding]))
  return [...unique.values()].sort(
    (one, other) =>
      one.file.localeCompare(other.file, 'en') ||
      (one.line ?? 0) - (other.line ?? 0) ||
      (one.column ?? 0) - (other.column ?? 0),
  )
}

/** Where a site is that nobody serves. */
const ADDRESSES = addresses({
  apiRoot: 'http://localhost',
  scheme: 'http',
  siteDomain: 'sites.localhost',
  pagesDomain: 'pages.localhost',
  filesDomain: 'files.localhost',
  postsDomain: 'posts.localhost',
  docsUrl: 'http://localhost',
})

const together = async <Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> => {
  const waiting = [...items]
  const workers = Array.from({ length: TOGETHER }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  })
  await Promise.all(workers)
}

/** The parts that no page includes by a literal name, directly or through other parts. */
const unusedParts = async (site: LocalSite, renderer: Renderer): Promise<LocalText[]> => {
  const references = new Map<LocalText, string[]>()
  await together([...site.pages, ...site.parts], async text => {
    references.set(text, (await renderer.analyze(text.body, 'folder')).references)
  })
  const parts = new Map(site.parts.map(part => [part.name, part]))
  const used = new Set<string>()
  const waiting = site.pages.flatMap(page => references.get(page)!)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const part = used.has(name) ? undefined : parts.get(name)
    used.add(name)
    if (part) waiting.push(...references.get(part)!)
  }
  return site.parts.filter(({ name }) => !used.has(name))
}

/** @param page the path of the page, for findings whose place is not known; null to leave them out */
const findingsOf = (
  outcome: RenderOutcome,
  texts: ReadonlyMap<string, LocalText>,
  page: string | null,
): Finding[] => {
  const at = (
    where: Where | null,
    line: number | null,
    column: number | null,
    message: string,
  ): Finding[] => {
    const text = texts.get(where === null ? (page ?? '') : pathOf(where))
    if (!text) return []
    const place = where?.body === 'record' ? placeInRecord(text, where) : placeInFile(text, line, column)
    return [{ file: text.file, ...place, message, kind: 'problem' }]
  }
  const hints = (outcome.ok ? outcome.review?.hints : outcome.hints) ?? []
  const found = hints.flatMap(hint => at(hint.where, hint.line, hint.column, hintSentence(hint)))
  if (!outcome.ok) {
    const { where, line, column, message, advice } = outcome.error
    return [...at(where, line, column, `${message} ${advice}`), ...found]
  }
  const { links = [], removed = [] } = outcome.review ?? {}
  return [
    ...found,
    ...removed.flatMap(removal =>
      at(
        removal.where,
        removal.line,
        null,
        `Removed when shown: ${removalText(removal)}. ${removal.message}`,
      ),
    ),
    ...links.flatMap(link => at(link.where, link.line, null, linkSentence(link))),
  ]
}

const FOLDERS = { page: 'pages', part: 'parts', record: 'data' } as const

const pathOf = ({ body, name }: Where): string =>
  `${FOLDERS[body]}/${name}.${body === 'record' ? 'json' : 'liquid'}`

/** Returns a template error of a page as a finding. @param slug the slug of the page */
export const errorFinding = (error: TemplateError, site: LocalSite, slug: string): Finding => {
  const texts = new Map([...site.pages, ...site.parts].map(text => [text.path, text] as const))
  const page = pathOf({ body: 'page', name: slug })
  const [finding] = findingsOf({ ok: false, error }, texts, page)
  return finding ?? { file: page, line: null, column: null, message: error.message, kind: 'problem' }
}

/** Returns a place in a file, from one in the text without the white space at its beginning. */
const placeInFile = ({ text }: LocalText, line: number | null, column: number | null) => {
  if (line === null) return { line: null, column: null }
  const start = positionAt(text, text.length - text.trimStart().length)
  return {
    line: line + start.line - 1,
    column: column === null ? 1 : line === 1 ? column + start.column - 1 : column,
  }
}

/** Returns the place of a value in the file of a record. */
const placeInRecord = ({ text }: LocalText, { path = '' }: { path?: string }) => {
  const steps = [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\.?([^.[\]]+)/g)]
  const pointer = steps
    .map(([, quoted, index, key]) =>
      quoted === undefined ? (index ?? key!) : (JSON.parse(`"${quoted}"`) as string),
    )
    .map(step => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
  return placeOf(text, pointer)
}

const placeOf = (text: string, pointer: string) => {
  const offset = checkJson(text, Number.POSITIVE_INFINITY).offsets.get(pointer)
  return offset === undefined ? { line: null, column: null } : positionAt(text, offset)
}

/** What the editor of a record says about its value. */
const recordNotes = ({ file, text, body }: LocalText): Finding[] => {
  const value = JSON.parse(body) as Json
  const notes = shapeWarnings(value).map(
    ({ path, message }): Finding => ({
      file,
      ...placeOf(text, path),
      message: `This entry ${message}.`,
      kind: 'note',
    }),
  )
  if (isJsonText(body))
    notes.push({
      file,
      ...placeOf(text, ''),
      message: 'The value is a text that contains JSON. Templates see text, not a list or an object.',
      kind: 'problem',
    })
  return notes
}
