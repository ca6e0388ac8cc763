import { type Emitter, type Token, TokenKind, toValue } from 'liquidjs'
import { escapeHtml } from './escape-html.ts'
import { progress } from './progress.ts'

/** A place in the value of a record: the key of the record, then the keys and indexes that lead to the place. */
export type RecordPath = [record: string, ...path: (string | number)[]]

/** A piece of output, up to the next one, and what wrote it. */
export interface Piece {
  /** Offset in the output. */
  begin: number
  /** The text, tag or output of the template. */
  token: Token
  /** Where the piece begins in the source, if it is literal text of the template. */
  source: number | undefined
  /** Where a printed value came from, if it was read from a record. */
  record: RecordPath | undefined
  /** Whether the value was printed unchanged, as text. */
  isUnchanged: boolean
  /** How the file was chosen whose address was printed unchanged. */
  file?: FileChoice | undefined
}

/** Where the name of a file is written: in a record, or as a literal in a tag or output. */
export type FileChoice = { record: RecordPath } | { token: Token; begin: number; end: number }

interface Read {
  token: Token | undefined
  parent: object
  key: string | number
  value: unknown
}

/** Where an object is: in another object, or as the value of a record if `parent` is undefined. */
interface Place {
  parent: object | undefined
  key: string | number
}

/** Maximum number of pieces and of known objects. A draft with more is shown without marks. */
const MAX_PIECES = 200_000
const MAX_OBJECTS = 200_000

/** Number of reads that are remembered for the tag or output that is being rendered. */
const KEPT_READS = 16

/**
 * Finds, while a draft is evaluated, what wrote each piece of the output. The objects in a record exist once, so a map
 * from each object to its place is enough: it stays correct when a template assigns the object, or loops over, filters
 * or sorts a list of them.
 */
export class Trace {
  private readonly data: object
  private readonly files: ReadonlySet<object>
  private readonly choices = new Map<object, FileChoice>()
  private file: { token: Token | undefined; url: unknown; choice: FileChoice | undefined } | undefined
  private readonly places = new Map<object, Place>()
  private readonly kept = new Map<string, readonly Piece[]>()
  private reads: Read[] = []
  private pieces = 0
  /** Whether the draft was too large to be traced. */
  isIncomplete = false

  /**
   * @param data the object with all records
   * @param files the files as templates read them
   */
  constructor(data: object, files: readonly object[]) {
    this.data = data
    this.files = new Set(files)
  }

  /** Called after a property was read. */
  read(object: unknown, key: unknown, value: unknown): void {
    if (typeof object !== 'object' || object === null) return
    if (this.files.has(object)) this.readFile(object, key, value)
    if (object !== this.data && !this.places.has(object)) return
    const name = memberName(object, toValue(key))
    if (name === undefined) return
    if (object === this.data) this.index(value, { parent: undefined, key: name })
    if (this.reads.length >= KEPT_READS) this.reads.shift()
    this.reads.push({ token: progress.token, parent: object, key: name, value })
  }

  /** Called before `text` is added to an output. Adds to `pieces` what wrote it. */
  note(pieces: Piece[], begin: number, text: string): void {
    const { token } = progress
    if (text === '' || token === undefined) return
    const reads = this.reads.filter(read => read.token === token)
    this.reads = []
    if (token.kind === TokenKind.HTML) {
      const source = token.begin + (token as Token & { trimLeft: number }).trimLeft
      this.add(pieces, { begin, token, source, record: undefined, isUnchanged: false })
      return
    }
    const { file } = this
    this.file = undefined
    if (file?.token === token && typeof file.url === 'string' && escapeHtml(file.url) === text) {
      this.add(pieces, {
        begin,
        token,
        source: undefined,
        record: undefined,
        isUnchanged: false,
        file: file.choice,
      })
      return
    }
    const unchanged = reads.findLast(({ value }) => typeof value === 'string' && escapeHtml(value) === text)
    const inner = unchanged ? undefined : this.kept.get(text)
    if (inner) {
      for (const piece of inner) this.add(pieces, { ...piece, begin: begin + piece.begin })
      return
    }
    const read = unchanged ?? reads.find(({ value }) => typeof value !== 'object') ?? reads.at(-1)
    const record = read && this.pathOf(read)
    this.add(pieces, { begin, token, source: undefined, record, isUnchanged: unchanged !== undefined })
  }

  /**
   * Remembers what wrote a text that was collected apart from the output, such as a captured one. If the text is then
   * printed as it is, its pieces become pieces of the output.
   */
  keep(emitter: Emitter & { pieces?: readonly Piece[] }): void {
    if (emitter.pieces && emitter.pieces.length > 0) this.kept.set(emitter.buffer, emitter.pieces)
  }

  /** Notes which file is chosen by its name, and whose address is printed. */
  private readFile(file: object, key: unknown, value: unknown): void {
    const { token } = progress
    if (key === 'url') this.file = { token, url: value, choice: this.choices.get(file) }
    if (key !== 'name' || typeof value !== 'string' || token === undefined) return
    const read = this.reads.findLast(one => one.token === token && one.value === value)
    const literal = read ? undefined : quotedIn(token, value)
    if (read) this.choices.set(file, { record: this.pathOf(read) })
    else if (literal) this.choices.set(file, { token, ...literal })
  }

  private add(pieces: Piece[], piece: Piece): void {
    this.pieces += 1
    if (this.pieces > MAX_PIECES) this.isIncomplete = true
    else pieces.push(piece)
  }

  /** Finds the places of all objects in the value of a record. */
  private index(value: unknown, place: Place): void {
    if (!isObject(value) || this.places.has(value)) return
    this.places.set(value, place)
    const open = [value]
    for (let object = open.pop(); object; object = open.pop()) {
      const isList = Array.isArray(object)
      for (const [key, member] of Object.entries(object)) {
        if (!isObject(member)) continue
        if (this.places.size >= MAX_OBJECTS) return
        this.places.set(member, { parent: object, key: isList ? Number(key) : key })
        open.push(member)
      }
    }
  }

  private pathOf({ parent, key }: Read): RecordPath {
    const path = [key]
    for (let place = this.places.get(parent); place; place = place.parent && this.places.get(place.parent))
      path.unshift(place.key)
    return path as RecordPath
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Where a tag or output has a text as a literal, without its quotes. */
function quotedIn({ input, begin, end }: Token, text: string): { begin: number; end: number } | undefined {
  for (const quote of ['"', "'"]) {
    const at = input.slice(begin, end).indexOf(quote + text + quote)
    if (at !== -1) return { begin: begin + at + 1, end: begin + at + 1 + text.length }
  }
  return undefined
}

/** The key or index of the member that a template reads; undefined for a property that is not a member, such as `size`. */
function memberName(object: object, key: unknown): string | number | undefined {
  if (!Array.isArray(object)) return Object.hasOwn(object, String(key)) ? String(key) : undefined
  const index = key === 'first' ? 0 : key === 'last' ? -1 : Number(key)
  const at = index < 0 ? object.length + index : index
  return Number.isInteger(at) && Object.hasOwn(object, at) ? at : undefined
}
