import type { Template } from 'liquidjs'
import { LRUCache } from 'lru-cache'
import type { TemplateHint } from '../../api/renderer.ts'
import { TemplateFailure } from './failure.ts'
import type { ParsedTemplate } from './parser.ts'

/** Maximum size of all cached syntax trees, in bytes. The tree of a single body is always smaller. */
const CACHE_BYTES = 48 * 1024 * 1024
/** Maximum size of the new syntax trees for one page and its parts, in bytes. A single tree is always smaller. */
const PAGE_BYTES = 64 * 1024 * 1024

/** A parsed body, or the error of one that does not parse. */
export type Tree =
  | ParsedTemplate
  | { error: unknown; references: string[]; hints: TemplateHint[]; weight: number }

/**
 * A cache of syntax trees by the hash of their bodies. The guard can stop a task anywhere, even during an update of the
 * cache. So the trees that a page uses are first collected in a plain map. They are cached after the page's evaluation.
 */
export class Trees {
  private readonly cache = new LRUCache<string, Tree>({ maxSize: CACHE_BYTES })
  private readonly ofPage = new Map<string, Tree>()
  private readonly parseBody: (html: string, file: string) => ParsedTemplate
  private parsedForPage = 0

  constructor(parseBody: (html: string, file: string) => ParsedTemplate) {
    this.parseBody = parseBody
  }

  /**
   * Returns the cached tree of a body, if any.
   *
   * @param file the name of the body in error messages. Two bodies with the same text but different names have separate
   * trees
   */
  find(file: string, hash: string): Tree | undefined {
    const key = file + hash
    const tree = this.ofPage.get(key) ?? this.cache.peek(key)
    if (tree) this.ofPage.set(key, tree)
    return tree
  }

  /** Returns the tree of a body; parses it unless it is cached. */
  get(file: string, hash: string, html: string): Tree {
    return this.find(file, hash) ?? this.parse(file, hash, html)
  }

  /**
   * Caches the trees of a page, and resets how much the next page may parse. Call it after each page, outside the
   * guard.
   */
  endPage(): void {
    for (const [key, tree] of this.ofPage) this.cache.set(key, tree, { size: tree.weight })
    this.ofPage.clear()
    this.parsedForPage = 0
  }

  clear(): void {
    this.cache.clear()
  }

  private parse(file: string, hash: string, html: string): Tree {
    const tree = this.attempt(html, file)
    this.parsedForPage += tree.weight
    if (this.parsedForPage > PAGE_BYTES) {
      throw new TemplateFailure(
        'too_large',
        'This page and the parts it includes contain too many tags and outputs.',
        'Use loops over data instead of thousands of separate tags, or split the page.',
      )
    }
    this.ofPage.set(file + hash, tree)
    return tree
  }

  private attempt(html: string, file: string): Tree {
    try {
      return this.parseBody(html, file)
    } catch (error) {
      return { error, references: [], hints: [], weight: html.length * 2 + 1 }
    }
  }
}

/** Returns the templates of a tree, or throws the error of a body that does not parse. */
export function templatesOf(tree: Tree): Template[] {
  if ('error' in tree) throw tree.error
  return tree.templates
}

/** The text that a tree was parsed from; empty if it is not valid Liquid. */
export function sourceOf(tree: Tree): string {
  return 'templates' in tree ? (tree.templates[0]?.token.input ?? '') : ''
}
