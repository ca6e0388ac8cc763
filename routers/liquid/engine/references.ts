/** What a part can be called (contract: part name). Other literal names lead nowhere and are of no interest. */
const PART_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?$/

const LITERAL = /^\s*(?:'([a-z0-9_-]+)'|"([a-z0-9_-]+)")/
const TAG_NAME = /^-?\s*(#|\w*)/
const INCLUDING = new Set(['render', 'include', 'layout'])
/** Tags whose content is not Liquid. */
const OPAQUE = new Set(['comment', 'raw', 'doc'])

/** Part names among `names`: unique, sorted. */
export function partNames(names: Iterable<string>): string[] {
  return [...new Set(names)].filter(name => PART_NAME.test(name)).sort()
}

/**
 * The parts that a body names literally, found without parsing it: for bodies that are not valid Liquid. Comments and
 * raw text are passed over where they end; a comment that never ends is taken for the mistake that it is.
 */
export function scanReferences(html: string): string[] {
  const found: string[] = []
  const scanner = new Scanner(html)
  for (let tag = scanner.next(); tag !== undefined; tag = scanner.next()) {
    const name = TAG_NAME.exec(tag)?.[1] ?? ''
    const rest = tag.slice(tag.indexOf(name) + name.length)
    if (OPAQUE.has(name)) scanner.skipTo(`end${name}`)
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

/** Inside `{% liquid %}` every line is a tag. */
function linesOf(text: string): string[] {
  const found: string[] = []
  let opaque: string | undefined
  for (const line of text.split('\n')) {
    const tag = line.trimStart()
    const [name = ''] = /^\w+/.exec(tag) ?? []
    if (opaque !== undefined) {
      if (name === `end${opaque}`) opaque = undefined
    } else if (OPAQUE.has(name)) {
      opaque = name
    } else {
      found.push(...referenceIn(name, tag.slice(name.length)))
    }
  }
  return found
}

/** Walks through the tags of a body, past outputs. Every closing delimiter is looked for once only. */
class Scanner {
  private readonly html: string
  private at = 0
  private outputsClose = true
  /** Closing tags known not to come any more. */
  private readonly gone = new Set<string>()

  constructor(html: string) {
    this.html = html
  }

  /** The inside of the next tag; undefined at the end. A tag that is not closed reaches to the next one. */
  next(): string | undefined {
    for (let open = this.open(); open !== -1; open = this.open()) {
      const isTag = this.html[open + 1] === '%'
      this.at = open + 2
      if (isTag) return this.readTag()
      this.skipOutput()
    }
    return undefined
  }

  skipTo(closing: string): void {
    if (this.gone.has(closing)) return
    const end = new RegExp(`\\{%-?\\s*${closing}\\b`, 'g')
    end.lastIndex = this.at
    if (end.test(this.html)) this.at = end.lastIndex
    else this.gone.add(closing)
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
