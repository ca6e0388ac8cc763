import type { Template, Token } from 'liquidjs'
import type {
  PageMarks,
  PageReview,
  PartRename,
  RemovedMarkup,
  RenamedBody,
  RenderedHead,
  TemplateAnalysis,
  TemplateError,
  TemplateHint,
} from '../../api/renderer.ts'
import { PageTooComplex } from '../sanitize/bounds.ts'
import { Removals } from '../sanitize/removals.ts'
import { sanitize } from '../sanitize/sanitize.ts'
import { Budget, CPU_LIMIT_MS, tooComplex } from './budget.ts'
import { SafeContext, TracedContext } from './context.ts'
import { documentHead } from './document-head.ts'
import { emitterFor, TracedEmitter } from './emitter.ts'
import { Engine } from './engine.ts'
import { explain, missingPart, PAGE_FILE, partFile, valueErrorHints } from './explain.ts'
import { TemplateFailure } from './failure.ts'
import { type Guard, StarvedError, TimeoutError } from './guard.ts'
import { plain } from './html.ts'
import { linkHints } from './link-hints.ts'
import { layoutOf } from './liquidjs.ts'
import { markedDocument } from './marked-document.ts'
import { nameHints, type ReviewedBody } from './name-hints.ts'
import { originOfMarkup, type Source } from './origins.ts'
import { type LiteralUse, withNewName } from './part-places.ts'
import { progress } from './progress.ts'
import { readNames } from './read-names.ts'
import { type IncludingTag, partNames, scanReferences, scanTags } from './references.ts'
import { renderTemplates } from './render.ts'
import { scriptHints } from './script-hints.ts'
import type { Part, Site } from './site.ts'
import { type Piece, Trace } from './trace.ts'
import { sourceOf, type Tree, Trees, templatesOf } from './trees.ts'

/** Maximum number of hints in a review. */
const MAX_HINTS = 50

type RenderedDocument = RenderedHead & { html: string; review?: PageReview; marks?: PageMarks }

/** A document, and the tags and outputs that show an error in their place. */
type Document = Omit<RenderedDocument, 'review' | 'marks'> & {
  valueErrors: ReadonlyMap<Token, string>
  /** What wrote each piece of the document, if it gets marks. */
  pieces?: readonly Piece[]
}

/** A page's document, or its template error. A reviewed page with an error can have hints too. */
export type Evaluated =
  | ({ ok: true } & RenderedDocument)
  | { ok: false; error: TemplateError; hints?: PageReview['hints'] }

/** A page to evaluate. */
export interface EvaluatedPage {
  slug: string
  url: string
  kind: 'scripted' | 'static'
  reviewed?: boolean
  /** Whether the elements of the document get marks. */
  isMarked?: boolean
  /** Key of the page's syntax tree. */
  hash: string
}

/** Parses and evaluates templates, one at a time, within hard limits. One per process. */
export class Evaluator {
  private readonly engine = new Engine(name => this.loadPart(name))
  private readonly trees = new Trees((html, file) => this.engine.parse(html, file))
  private readonly guard: Guard
  private site: Site | undefined

  /** @param guard limits each phase: parsing, evaluating, sanitizing */
  constructor(guard: Guard) {
    this.guard = guard
  }

  /** Whether the body with that hash is cached, so that {@link render} does not need its text. */
  has(hash: string): boolean {
    return this.trees.find(PAGE_FILE, hash) !== undefined
  }

  /** Evaluates a page. Returns errors of the template instead of throwing them. Throws only {@link StarvedError}. */
  render(site: Site, page: EvaluatedPage, html: string | undefined): Evaluated {
    this.site = site
    progress.token = undefined
    try {
      const templates = this.prepare(site, page, html)
      const { valueErrors, pieces, ...document } = this.evaluate(site, page, templates)
      // From here on, errors have no position in the template.
      progress.token = undefined
      const { html: shown, removed } = this.shown(page, document.html)
      const review = page.reviewed ? this.review(site, page, removed, document.html) : undefined
      review?.hints.unshift(...valueErrorHints(valueErrors, page.slug))
      const marked = pieces && this.optional(() => markedDocument(page, document.html, shown, pieces))
      return { ok: true, ...document, html: shown, ...marked, ...(review && { review }) }
    } catch (error) {
      if (error instanceof StarvedError) throw error
      const explained = explain(error, page.slug, progress.token)
      const hints = page.reviewed ? this.furtherHints(site, page, explained) : []
      return { ok: false, error: explained, ...(hints.length > 0 && { hints }) }
    } finally {
      this.site = undefined
      this.trees.endPage()
    }
  }

  /**
   * Finds the parts that a body includes by literal name, and whether the body is valid Liquid. Throws only
   * {@link StarvedError}.
   */
  analyze(html: string): TemplateAnalysis {
    try {
      const { references, hints } = this.timedParse(() => this.engine.parse(html, PAGE_FILE))
      return { references: partNames(references), parses: true, hints }
    } catch (error) {
      if (error instanceof StarvedError) throw error
      return { references: scanReferences(html), parses: false, hints: [] }
    }
  }

  /**
   * Renames a part where a body includes it by its literal name, and analyzes the result. Throws only
   * {@link StarvedError}.
   */
  renamePart(html: string, rename: PartRename): RenamedBody {
    const renamed = withNewName(html, this.usesIn(html), rename)
    return { ...this.analyze(renamed), html: renamed }
  }

  /** Finds where a body names parts literally, even if the body is not valid Liquid. */
  private usesIn(html: string): LiteralUse[] {
    const parse = (body: string) => readNames(this.engine.parse(body, PAGE_FILE).templates).parts
    try {
      return this.timedParse(() => parse(html))
    } catch (error) {
      if (error instanceof StarvedError) throw error
    }
    return this.optional(() => scanTags(html).map(tag => usesOfTag(tag, parse))) ?? []
  }

  /** Drops all cached syntax trees. Bodies that are needed later are sent and parsed again. */
  emptyCache(): void {
    this.trees.clear()
  }

  /** Parses the page and all parts reachable through literal names, so that evaluation need not parse them. */
  private prepare(site: Site, page: EvaluatedPage, html: string | undefined): Template[] {
    const cached = this.trees.find(PAGE_FILE, page.hash)
    if (cached && site.prepared.has(page.hash)) return templatesOf(cached)
    return this.timedParse(() => {
      const tree = this.trees.get(PAGE_FILE, page.hash, html ?? '')
      this.parseReferenced(site, tree)
      site.prepared.add(page.hash)
      return templatesOf(tree)
    })
  }

  private review(site: Site, page: EvaluatedPage, removed: RemovedMarkup[], html: string): PageReview {
    const sources = this.sourcesOf(site, page)
    const links = this.optional(() => linkHints(html, site, page, sources)) ?? []
    const located = this.optional(() =>
      removed.map(removal => ({ ...removal, ...originOfMarkup(removal, sources) })),
    )
    const scripts = page.kind === 'scripted' ? this.scriptHints(site, page, html) : []
    const hints = this.hintsFor(site, page)
    const further = scripts.filter(script => !hints.some(hint => isSameLine(hint, script)))
    const tree = this.trees.find(PAGE_FILE, page.hash)
    return {
      layout: (tree && 'templates' in tree ? layoutOf(tree.templates) : undefined) ?? null,
      hints: [...hints, ...further],
      links,
      removed: located ?? removed.map(removal => ({ ...removal, where: null, line: null })),
    }
  }

  /** The texts that contribute to a page, for {@link originOfMarkup}. */
  private sourcesOf(site: Site, page: EvaluatedPage): Source[] {
    const bodies = this.optional(() => this.reviewedBodies(site, page)) ?? []
    return [
      ...bodies.map(({ where, tree }) => ({ where, text: sourceOf(tree) })),
      ...site.records.map(([name, text]) => ({ where: { body: 'record' as const, name }, text })),
    ]
  }

  private scriptHints(site: Site, page: EvaluatedPage, html: string): PageReview['hints'] {
    const bodies = () =>
      this.reviewedBodies(site, page).map(({ where, tree }) => ({ where, html: sourceOf(tree) }))
    return this.optional(() => scriptHints(html, bodies())) ?? []
  }

  /** The hints for the page, and for the parts that it includes by literal names. */
  private hintsFor(site: Site, page: EvaluatedPage): PageReview['hints'] {
    const bodies = this.optional(() => this.reviewedBodies(site, page)) ?? []
    const names = this.optional(() => nameHints(site, bodies))
    const hints = bodies.flatMap(({ where, tree }, index) =>
      [...tree.hints, ...(names?.[index] ?? [])].sort(byPosition).map(hint => ({ ...hint, where })),
    )
    return hints.slice(0, MAX_HINTS)
  }

  /** The hints for a page with an error, except hints for the tag or output that causes the error. */
  private furtherHints(site: Site, page: EvaluatedPage, error: TemplateError): PageReview['hints'] {
    if (error.kind === 'timeout' || error.kind === 'too_large') return []
    const { where, line, column } = error
    return this.hintsFor(site, page).filter(
      hint =>
        hint.line !== line ||
        hint.column !== column ||
        hint.where.body !== where.body ||
        hint.where.name !== where.name,
    )
  }

  private reviewedBodies(site: Site, page: EvaluatedPage): ReviewedBody[] {
    const tree = this.trees.find(PAGE_FILE, page.hash)
    if (!tree) return []
    return [
      { where: { body: 'page', name: page.slug }, tree },
      ...this.parseReferenced(site, tree).map(part => ({
        where: { body: 'part' as const, name: part.name },
        tree: this.treeOf(part),
      })),
    ]
  }

  /** Runs a check under the guard. Returns undefined if it takes too long, or has too much to parse. */
  private optional<Result>(check: () => Result): Result | undefined {
    try {
      return this.guard.run(check)
    } catch (error) {
      const isTooMuch =
        error instanceof TimeoutError || error instanceof TemplateFailure || error instanceof PageTooComplex
      if (isTooMuch) return undefined
      throw error
    }
  }

  /**
   * Parses the parts that a page includes by literal name, directly or indirectly. Ignores errors in parts: an
   * error matters only if a tag that names the part is rendered.
   */
  private parseReferenced(site: Site, start: Tree): Part[] {
    const seen = new Set<string>()
    const parts: Part[] = []
    const waiting = [...start.references]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const part = seen.has(name) ? undefined : site.part(name)
      seen.add(name)
      if (!part) continue
      parts.push(part)
      waiting.push(...this.treeOf(part).references)
    }
    return parts
  }

  private loadPart(name: unknown): Template[] {
    const wanted = String(plain(name))
    const part = this.site?.part(wanted)
    if (!part) throw missingPart(wanted, this.site?.partNames ?? [])
    return templatesOf(this.treeOf(part))
  }

  private treeOf(part: Part): Tree {
    return this.trees.get(partFile(part.name), part.hash, part.html)
  }

  /** Returns the document as readers get it. For a review, also lists the removed markup, which takes longer. */
  private shown({ kind, reviewed }: EvaluatedPage, html: string): { html: string; removed: RemovedMarkup[] } {
    if (kind === 'scripted') return { html, removed: [] }
    const withRemovals = reviewed
      ? this.optional(() => {
          const removals = new Removals()
          return { html: sanitize(html, removals), removed: removals.list }
        })
      : undefined
    return withRemovals ?? { html: this.sanitize(html), removed: [] }
  }

  private sanitize(html: string): string {
    try {
      return this.limited(
        () => sanitize(html),
        `Sanitizing this static page took more than ${CPU_LIMIT_MS} ms of processor time.`,
        'Make it smaller: use fewer elements and nest them less deeply.',
      )
    } catch (error) {
      throw error instanceof PageTooComplex ? tooComplex() : error
    }
  }

  private timedParse<Result>(parse: () => Result): Result {
    return this.limited(
      parse,
      `Parsing the template took more than ${CPU_LIMIT_MS} ms of processor time.`,
      'Make it smaller: use a loop instead of thousands of separate tags, or split the page into several pages.',
    )
  }

  private evaluate(site: Site, page: EvaluatedPage, templates: Template[]): Document {
    const traced = page.isMarked
      ? this.optional(() =>
          this.evaluated(site, page, templates, new Budget(new Trace(site.values, site.files))),
        )
      : undefined
    // If tracing takes too long, readers may still get the page.
    return traced ?? this.guard.run(() => this.evaluated(site, page, templates, new Budget()))
  }

  private evaluated(site: Site, page: EvaluatedPage, templates: Template[], budget: Budget): Document {
    progress.token = undefined
    const ContextKind = budget.trace ? TracedContext : SafeContext
    const context = new ContextKind(site.variables(page), this.engine.forContext, budget)
    const emitter = emitterFor(budget)
    const html = renderTemplates(templates, context, emitter)
    // This runs inside the guard, because reading the head of a hostile document can be slow.
    const fullHead = documentHead(html, page.url)
    const pieces =
      emitter instanceof TracedEmitter && budget.trace?.isIncomplete === false ? emitter.pieces : undefined
    return {
      html,
      head: fullHead,
      isStable: !budget.isUnstable,
      valueErrors: budget.valueErrors,
      ...(pieces && { pieces }),
    }
  }

  /** Runs `task` under the guard. If it runs out of time, `message` and `advice` are reported. */
  private limited<Result>(task: () => Result, message: string, advice: string): Result {
    try {
      return this.guard.run(task)
    } catch (error) {
      throw error instanceof TimeoutError ? new TemplateFailure('timeout', message, advice) : error
    }
  }
}

/**
 * Finds where a single tag names a part, in a body that is not valid Liquid. If the tag itself is not valid, finds only
 * the part's name and no bindings.
 */
function usesOfTag(
  { name, nameBegin, text, begin }: IncludingTag,
  parse: (body: string) => LiteralUse[],
): LiteralUse {
  const place = { begin: nameBegin, end: nameBegin + name.length }
  try {
    const [use] = parse(`{%${text}%}`)
    return { name, place, bindings: use?.bindings.map(end => end + begin - 2) ?? [] }
  } catch (error) {
    if (error instanceof TimeoutError || error instanceof StarvedError) throw error
    return { name, place, bindings: [] }
  }
}

type Hint = PageReview['hints'][number]

const isSameLine = (a: Hint, b: Hint) =>
  a.line === b.line && a.where.body === b.where.body && a.where.name === b.where.name

const byPosition = (a: TemplateHint, b: TemplateHint) => a.line - b.line || a.column - b.column
