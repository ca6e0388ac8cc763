import type { Template } from 'liquidjs'
import { TemplateFault } from './fault.ts'
import { WeightedCache } from './lru.ts'
import type { ParsedTemplate } from './parser.ts'

/** Bytes of syntax trees that are kept, and that may be parsed anew for one page together with its parts. */
const KEPT = 48 * 1024 * 1024
const PER_PAGE = 64 * 1024 * 1024

/** A parsed body, or the reason why it could not be parsed. */
export type Tree = ParsedTemplate | { error: unknown; references: string[]; weight: number }

/** Parsed bodies by their hash, the errors of those that do not parse included. */
export class Trees {
  private readonly kept = new WeightedCache<Tree>(KEPT)
  private readonly parseBody: (html: string, file: string) => ParsedTemplate
  private parsedForPage = 0

  constructor(parseBody: (html: string, file: string) => ParsedTemplate) {
    this.parseBody = parseBody
  }

  /** Another page begins, with a budget of its own. */
  beginPage(): void {
    this.parsedForPage = 0
  }

  /** @param file what the body is called in errors; the same text under two names is two trees */
  find(file: string, hash: string): Tree | undefined {
    return this.kept.get(file + hash)
  }

  /** The tree of a body, parsed now if it is not kept. */
  get(file: string, hash: string, html: string): Tree {
    return this.find(file, hash) ?? this.parse(file, hash, html)
  }

  clear(): void {
    this.kept.clear()
  }

  private parse(file: string, hash: string, html: string): Tree {
    const tree = this.attempt(html, file)
    this.parsedForPage += tree.weight
    if (this.parsedForPage > PER_PAGE) {
      throw new TemplateFault(
        'too_large',
        'The page and the parts that it includes hold too many tags and outputs together.',
        'Use loops over data instead of thousands of single tags, or split the page.',
      )
    }
    this.kept.set(file + hash, tree, tree.weight)
    return tree
  }

  private attempt(html: string, file: string): Tree {
    try {
      return this.parseBody(html, file)
    } catch (error) {
      return { error, references: [], weight: html.length * 2 }
    }
  }
}

/** What is to be rendered of a tree; throws the error of a body that did not parse. */
export function templatesOf(tree: Tree): Template[] {
  if ('error' in tree) throw tree.error
  return tree.templates
}
