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
export const scanReferences = (html: string): string[] => partNames(scanTags(html).map(({ name }) => name))

/** A tag that names a part. */
export interface IncludingTag {
  name: string
  /** Where the name begins, without its quotes. */
  nameBegin: number
  /** The tag without its delimiters, and where this text begins. */
  text: string
  begin: number
}

/** Finds the tags that name parts literally; see {@link scanReferences}. */
export function scanTags(html: string): IncludingTag[] {
  const found: IncludingTag[] = []
  const scanner = new Scanner(html)
  for (let tag = scanner.next(); tag !== undefined; tag = scanner.next()) {
    const name = TAG_NAME.exec(tag.text)?.[1] ?? ''
    if (isOpaque(name)) scanner.skipContent(name)
    else if (name === 'liquid') found.push(...linesOf(tag, name))
    else found.push(...referenceIn(tag, name))
  }
  return found
}

/** A tag without its delimiters, and where it begins. */
type Tag = Pick<IncludingTag, 'text' | 'begin'>

function referenceIn({ text, begin }: Tag, tag: string): IncludingTag[] {
  if (!INCLUDING.has(tag)) return []
  const from = text.indexOf(tag) + tag.length
  const literal = LITERAL.exec(text.slice(from))
  const name = literal?.[1] ?? literal?.[2]
  if (!literal || name === undefined) return []
  const nameBegin = begin + from + literal[0].length - 1 - name.length
  return [{ name, nameBegin, text, begin }]
}

/** Finds references inside `{% liquid %}`, where every line is a tag. */
function linesOf({ text, begin }: Tag, tag: string): IncludingTag[] {
  const found: IncludingTag[] = []
  let opaque: string | undefined
  let at = text.indexOf(tag) + tag.length
  for (const line of text.slice(at).split('\n')) {
    const content = line.trimStart()
    const [name = ''] = /^\w+/.exec(content) ?? []
    if (opaque !== undefined) {
      if (name === `end${opaque}`) opaque = undefined
    } else if (isOpaque(name)) {
      opaque = name
    } else {
      const indent = line.length - content.length
      found.push(...referenceIn({ text: content, begin: begin + at + indent }, name))
    }
    at += line.length + 1
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

  /** The next tag; undefined at the end. An unclosed tag ends where the next one begins. */
  next(): Tag | undefined {
    for (let open = this.open(); open !== -1; open = this.open()) {
      const isTag = this.html[open + 1] === '%'
      this.at = open + 2
      if (isTag) return { begin: this.at, text: this.readTag() }
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
