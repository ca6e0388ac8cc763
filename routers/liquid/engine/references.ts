import { findEndTag, isOpaque } from './opaque.ts'

/** A valid part name (contract: part name); no other name can exist. */
const PART_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?$/

const LITERAL = /^\s*(?:'([a-z0-9_-]+)'|"([a-z0-9_-]+)")/
const TAG_NAME = /^-?\s*(#|\w*)/
const INCLUDING = new Set(['render', 'include', 'layout'])

/** Whether a body can include parts. Quick, and also correct for bodies that are not valid Liquid. */
export const canInclude = (html: string): boolean => [...INCLUDING].some(tag => html.includes(tag))

/** The valid part names among `names`: unique, sorted. */
export function partNames(names: Iterable<string>): string[] {
  return [...new Set(names)].filter(name => PART_NAME.test(name)).sort()
}

/**
 * Finds the parts that a body names literally, without parsing it. For bodies that are not valid Liquid. Skips comments
 * and raw text, unless their end tag is missing.
 */
export function scanReferences(html: string): string[] {
  const found: string[] = []
  const scanner = new Scanner(html)
  for (let tag = scanner.next(); tag !== undefined; tag = scanner.next()) {
    const name = TAG_NAME.exec(tag)?.[1] ?? ''
    const rest = tag.slice(tag.indexOf(name) + name.length)
    if (isOpaque(name)) scanner.skipContent(name)
    else if (name === 'liquid') found.push(...linesOf(rest))
    else found.push(...referenceIn(name, rest))
  }
  return partNames(found)
}

function referenceIn(tag: string, rest: string): string[] {
  if (!INCLUDING.has(tag)) return []
  const literal = LITERAL.exec(rest)
  const name = literal?.[1] ?? literal?.[2]
  return name === undefined ? [] : [name]
}

/** Finds references inside `{% liquid %}`, where every line is a tag. */
function linesOf(text: string): string[] {
  const found: string[] = []
  let opaque: string | undefined
  for (const line of text.split('\n')) {
    const tag = line.trimStart()
    const [name = ''] = /^\w+/.exec(tag) ?? []
    if (opaque !== undefined) {
      if (name === `end${opaque}`) opaque = undefined
    } else if (isOpaque(name)) {
      opaque = name
    } else {
      found.push(...referenceIn(name, tag.slice(name.length)))
    }
  }
  return found
}

/** Iterates over the tags of a body and skips outputs. Linear: it searches for each missing delimiter only once. */
class Scanner {
  private readonly html: string
  private at = 0
  private outputsClose = true
  /** See {@link findEndTag}. */
  private readonly unclosed = new Set<string>()

  constructor(html: string) {
    this.html = html
  }

  /** The content of the next tag; undefined at the end. An unclosed tag ends where the next one begins. */
  next(): string | undefined {
    for (let open = this.open(); open !== -1; open = this.open()) {
      const isTag = this.html[open + 1] === '%'
      this.at = open + 2
      if (isTag) return this.readTag()
      this.skipOutput()
    }
    return undefined
  }

  /** Skips the content of an opaque tag that was just read. */
  skipContent(tag: string): void {
    this.at = findEndTag(this.html, tag, this.at, this.unclosed)?.end ?? this.at
  }

  private open(): number {
    const next = /\{[%{]/g
    next.lastIndex = this.at
    return next.exec(this.html)?.index ?? -1
  }

  private readTag(): string {
    const end = /%\}|\{%|$/g
    end.lastIndex = this.at
    const stop = end.exec(this.html)?.index ?? this.html.length
    const inside = this.html.slice(this.at, stop)
    this.at = stop
    return inside
  }

  private skipOutput(): void {
    if (!this.outputsClose) return
    const end = this.html.indexOf('}}', this.at)
    if (end === -1) this.outputsClose = false
    else this.at = end + 2
  }
}
