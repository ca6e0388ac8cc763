import type { Template } from 'liquidjs'
import type { RenderedHead, TemplateError } from '../../core/renderer.ts'
import { sanitize } from '../sanitize/sanitize.ts'
import { Budget, EVALUATION_MS } from './budget.ts'
import { SafeContext } from './context.ts'
import { documentHead } from './document-head.ts'
import { Engine } from './engine.ts'
import { explain, missingPart, PAGE_FILE, partFile } from './explain.ts'
import { TemplateFault } from './fault.ts'
import { CutOff, guarded } from './guard.ts'
import { plain } from './html.ts'
import { partNames, scanReferences } from './references.ts'
import { progress, renderTemplates } from './renderer.ts'
import type { Part, Site } from './site.ts'
import { type Tree, Trees, templatesOf } from './trees.ts'

/**
 * Time for parsing all that a page needs, in ms. The largest body that may be stored takes about 70 in a process that
 * has parsed before and up to 300 in a fresh one; together with the evaluation it stays below 600.
 */
const PARSE_MS = 300

/** Time for making a static page's result safe, in ms. */
const SANITIZE_MS = 200

/** A page's result. */
type RenderedDocument = RenderedHead & { html: string }

/** A page's result, or what is wrong with its template. */
export type Evaluated = ({ ok: true } & RenderedDocument) | { ok: false; error: TemplateError }

/** A page to be evaluated. */
export interface EvaluatedPage {
  slug: string
  url: string
  kind: 'scripted' | 'static'
  /** Key of the page's body. */
  hash: string
}

/** Parses and evaluates templates, one at a time, within hard limits. One per process. */
export class Evaluator {
  private readonly engine = new Engine(name => this.loadPart(name))
  private readonly trees = new Trees((html, file) => this.engine.parse(html, file))
  private readonly onPhase: () => void
  private site: Site | undefined

  /** @param onPhase called when one timed piece of work ends and another begins */
  constructor(onPhase: () => void) {
    this.onPhase = onPhase
  }

  /** Whether the body of that hash is at hand, so that {@link render} needs no text. */
  knows(hash: string): boolean {
    return this.trees.find(PAGE_FILE, hash) !== undefined
  }

  /** Evaluates a page. Never throws for anything that a template does. */
  render(site: Site, page: EvaluatedPage, html: string | undefined): Evaluated {
    this.site = site
    this.trees.beginPage()
    progress.token = undefined
    try {
      const templates = this.prepare(site, page, html)
      this.onPhase()
      const document = this.evaluate(site, page, templates)
      if (page.kind === 'scripted') return { ok: true, ...document }
      this.onPhase()
      return { ok: true, ...this.makeSafe(document) }
    } catch (error) {
      return { ok: false, error: explain(error, page.slug, progress.token) }
    } finally {
      this.site = undefined
    }
  }

  /** The parts a body names literally, and whether it is valid Liquid. */
  analyse(html: string): { references: string[]; parses: boolean } {
    try {
      const { references } = this.timedParse(() => this.engine.parse(html, PAGE_FILE))
      return { references: partNames(references), parses: true }
    } catch {
      return { references: scanReferences(html), parses: false }
    }
  }

  /** Drops what could be read again. */
  forget(): void {
    this.trees.clear()
  }

  /** Parses the page and all parts that it leads to by literal names, so that evaluation need not. */
  private prepare(site: Site, page: EvaluatedPage, html: string | undefined): Template[] {
    const known = this.trees.find(PAGE_FILE, page.hash)
    if (known && site.prepared.has(page.hash)) return templatesOf(known)
    return this.timedParse(() => {
      const tree = this.trees.get(PAGE_FILE, page.hash, html ?? '')
      this.parseReferenced(site, tree)
      site.prepared.add(page.hash)
      return templatesOf(tree)
    })
  }

  /** A part that is not valid Liquid only matters once a tag that names it is reached. */
  private parseReferenced(site: Site, start: Tree): void {
    const seen = new Set<string>()
    const waiting = [...start.references]
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const part = seen.has(name) ? undefined : site.part(name)
      seen.add(name)
      if (part) waiting.push(...this.treeOf(part).references)
    }
  }

  private loadPart(name: unknown): Template[] {
    const wanted = String(plain(name))
    const part = this.site?.part(wanted)
    if (!part) throw missingPart(wanted)
    return templatesOf(this.treeOf(part))
  }

  private treeOf(part: Part): Tree {
    return this.trees.get(partFile(part.name), part.hash, part.html)
  }

  private makeSafe({ html, isLasting }: RenderedDocument): RenderedDocument {
    const cutOff = `Making this static page safe took longer than ${SANITIZE_MS} ms.`
    return timed(
      () => described(sanitize(html), isLasting),
      SANITIZE_MS,
      cutOff,
      'Make it smaller: fewer elements, and not so many in each other.',
    )
  }

  private timedParse<Result>(parse: () => Result): Result {
    const cutOff = `Reading the template took longer than ${PARSE_MS} ms.`
    return timed(
      parse,
      PARSE_MS,
      cutOff,
      'Make it smaller: move pieces into parts, and use a loop instead of thousands of single tags.',
    )
  }

  private evaluate(site: Site, page: EvaluatedPage, templates: Template[]): RenderedDocument {
    return guarded(() => {
      const budget = new Budget()
      const context = new SafeContext(site.variables(page), this.engine.forContext, budget)
      const html = renderTemplates(templates, context)
      return described(html, !budget.varies)
    }, EVALUATION_MS)
  }
}

/** A document with what it says about itself. Only to be called under the guard: documents can be written to be slow. */
function described(html: string, isLasting: boolean): RenderedDocument {
  return { html, isLasting, ...documentHead(html) }
}

/** Runs `task` under the guard; being stopped is explained in words of its own. */
function timed<Result>(task: () => Result, limit: number, cutOff: string, advice: string): Result {
  try {
    return guarded(task, limit)
  } catch (error) {
    throw error instanceof CutOff ? new TemplateFault('timeout', cutOff, advice) : error
  }
}
