import type { Template } from 'liquidjs'
import type { RenderOutcome } from '../messages.ts'
import { sanitize } from '../sanitize/sanitize.ts'
import { Budget, EVALUATION_MS } from './budget.ts'
import { SafeContext } from './context.ts'
import { documentHead } from './document-head.ts'
import { Engine } from './engine.ts'
import { explain, missingPart, PAGE_FILE, partFile } from './explain.ts'
import { TemplateFault } from './fault.ts'
import { CutOff, guarded } from './guard.ts'
import { plain } from './html.ts'
import { WeightedCache } from './lru.ts'
import type { ParsedTemplate } from './parser.ts'
import { partNames, scanReferences } from './references.ts'
import { progress, renderTemplates } from './renderer.ts'
import type { Part, Site } from './site.ts'

/** Time for parsing all that a page needs, in ms: small once the parser has been compiled, more in a cold process. */
const PARSE_MS = 100
const COLD_PARSE_MS = 400
const COLD_CHARACTERS = 2_000_000

/** Time for making a static page's result safe, in ms. */
const SANITIZE_MS = 200

/** Bytes of syntax trees that are kept, and that one page may need together with its parts. */
const TREES_KEPT = 48 * 1024 * 1024
const TREES_PER_PAGE = 64 * 1024 * 1024

/** A page that was evaluated within this many ms before is evaluated without the costly guard the next time. */
const QUICK_MS = 25
const QUICK_KEPT = 4096

/** A parsed body, or the reason why it could not be parsed. */
type Tree = ParsedTemplate | { error: unknown; references: string[]; weight: number }

/** A page to be evaluated. */
export interface EvaluatedPage {
  slug: string
  url: string
  kind: 'scripted' | 'static'
  /** Key of the page's body. */
  hash: string
  /** Always run under the guard, whatever is known of it. */
  suspect: boolean
}

/** Parses and evaluates templates, one at a time, within hard limits. One per process. */
export class Evaluator {
  private readonly engine = new Engine(name => this.loadPart(name))
  private readonly trees = new WeightedCache<Tree>(TREES_KEPT)
  private readonly quick = new WeightedCache<true>(QUICK_KEPT)
  private readonly onPhase: () => void
  private site: Site | undefined
  private parsed = 0
  /** Of what the page at hand needs. */
  private weight = 0

  /** @param onPhase called when one timed piece of work ends and another begins */
  constructor(onPhase: () => void) {
    this.onPhase = onPhase
  }

  /** Whether the body of that hash is at hand, so that {@link render} needs no text. */
  knows(hash: string): boolean {
    return this.trees.get(PAGE_FILE + hash) !== undefined
  }

  /** Evaluates a page. Never throws for anything that a template does. */
  render(site: Site, page: EvaluatedPage, html: string | undefined): RenderOutcome {
    this.site = site
    this.weight = 0
    progress.token = undefined
    try {
      const templates = this.prepare(site, page, html)
      this.onPhase()
      let output = this.evaluate(site, page, templates)
      if (page.kind === 'static') {
        this.onPhase()
        output = guarded(() => sanitize(output), SANITIZE_MS)
      }
      return { ok: true, html: output, ...documentHead(output) }
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
    const known = this.trees.get(PAGE_FILE + page.hash)
    if (known && site.prepared.has(page.hash)) return templatesOf(known)
    return this.timedParse(() => {
      const tree = known ?? this.parse(PAGE_FILE, page.hash, html ?? '')
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
    const file = partFile(part.name)
    return this.trees.get(file + part.hash) ?? this.parse(file, part.hash, part.html)
  }

  /** Parses a body and keeps the outcome, also where it is an error. */
  private parse(file: string, hash: string, html: string): Tree {
    const tree = this.attempt(html, file)
    this.parsed += html.length
    this.weight += tree.weight
    if (this.weight > TREES_PER_PAGE) {
      throw new TemplateFault(
        'too_large',
        'The page and the parts that it includes hold too many tags and outputs together.',
        'Use loops over data instead of thousands of single tags, or split the page.',
      )
    }
    this.trees.set(file + hash, tree, tree.weight)
    return tree
  }

  private attempt(html: string, file: string): Tree {
    try {
      return this.engine.parse(html, file)
    } catch (error) {
      return { error, references: [], weight: html.length * 2 }
    }
  }

  private timedParse<Result>(parse: () => Result): Result {
    const limit = this.parsed < COLD_CHARACTERS ? COLD_PARSE_MS : PARSE_MS
    try {
      return guarded(parse, limit)
    } catch (error) {
      if (!(error instanceof CutOff)) throw error
      throw new TemplateFault(
        'timeout',
        `Reading the template took longer than ${limit} ms.`,
        'Make it smaller: move pieces into parts, and use a loop instead of thousands of single tags.',
      )
    }
  }

  private evaluate(site: Site, page: EvaluatedPage, templates: Template[]): string {
    const key = site.space + page.hash
    const started = performance.now()
    const run = () => {
      const budget = new Budget(performance.now())
      return renderTemplates(templates, new SafeContext(site.variables(page), this.engine.forContext, budget))
    }
    const wasQuick = this.quick.get(key) !== undefined && !page.suspect
    this.quick.delete(key)
    const html = wasQuick ? run() : guarded(run, EVALUATION_MS)
    if (performance.now() - started < QUICK_MS) this.quick.set(key, true, 1)
    return html
  }
}

function templatesOf(tree: Tree): Template[] {
  if ('error' in tree) throw tree.error
  return tree.templates
}
