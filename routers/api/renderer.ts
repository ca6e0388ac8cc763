/** Everything that the templates of one space can read, at one revision of the space. */
export interface SiteSnapshot {
  space: { name: string; subdomain: string; url: string }
  /** The address that redirects to `space.url`; absent if there is none. */
  otherUrl?: string
  pages: { slug: string; url: string }[]
  files: { name: string; contentType: string; size: number; url: string }[]
  /** Each record's value as the stored JSON text, by key. */
  data: Record<string, string>
  parts: { name: string; html: string }[]
}

/** A page to evaluate. */
export interface RenderRequest {
  /** Identifies the space; never changes. */
  space: string
  /** Accounts take turns: the account that sent a draft, or for a saved page, the space's first participant. */
  account: string
  /** Changes whenever something that the space's templates can read changes. */
  revision: string
  /**
   * Reads the space's content at `revision`. Called only if the worker does not have this content. Can return the
   * content as JSON text.
   */
  snapshot: () => Promise<SiteSnapshot | string>
  /** Reads the page's body at `revision`. Called only if the worker does not have this body. */
  body: () => Promise<string>
  page: {
    id: string
    slug: string
    url: string
    kind: 'scripted' | 'static'
    /** Whether to return a review of the page for its author; see {@link PageReview}. */
    reviewed?: boolean
  }
}

/** Something in a template that works, but probably not as intended. */
export interface TemplateHint {
  message: string
  /** The name that the author probably meant. */
  nearest: string | null
  /**
   * The name that the author wrote instead of `nearest`. In the template, this name is at or after the position of the
   * hint. Null if `nearest` is null.
   */
  written: string | null
  /** The name of the body's layout. Present only if the hint says that the body does not fit this layout. */
  layout?: string
  /** Line number, from 1. */
  line: number
  column: number
}

/** Where something in a rendered page is written. Null if it was not found: templates can build it from pieces. */
export interface Origin {
  where: { body: 'page' | 'part' | 'record'; name: string; path?: string } | null
  /** From 1; null for a record, where `path` is the place in its value, such as `[2].url`. */
  line: number | null
}

/** An element or attribute that static pages cannot contain. */
export interface RemovedMarkup {
  element: string
  /** Name of the removed attribute; null if the element itself was removed. */
  attribute: string | null
  /** Why the markup was removed, as a sentence. */
  message: string
  /** Number of occurrences. */
  count: number
}

/** A hint about a link in a rendered page, with the first place where the link is written. */
export interface LinkHint extends Origin {
  message: string
  /** The name that the author probably meant. */
  nearest: string | null
  /** Number of occurrences. */
  count: number
}

/** What an author should know about a page that renders without error. */
export interface PageReview {
  /** The part that the page names literally as its layout. */
  layout: string | null
  hints: (TemplateHint & { where: TemplateError['where'] })[]
  /** Links that lead nowhere, and files that do not load. */
  links: LinkHint[]
  /** The markup that was removed from a static page, with the first place where each is written. */
  removed: (RemovedMarkup & Origin)[]
}

/** Name of the attribute with which elements are numbered in a draft that is evaluated for its editor. */
export const MARK_ATTRIBUTE = 'data-space-site-mark'

/** A range in a page or part, in UTF-16 units. `body` is an index in `bodies` of {@link PageMarks}. */
export interface SourceRange {
  body: number
  begin: number
  end: number
}

/** Literal text in an element, or a tag or output that prints there. */
export interface WrittenContent extends SourceRange {
  /** The record that a printed value was read from, and its place there; null if it came another way. */
  record: RecordPlace | null
  /** Whether it is in the start tag of the element rather than in its text. */
  isInTag: boolean
  /** Whether the source has the text as it is, without white space around it. */
  isLiteral: boolean
  /** Whether it prints a string of the record as it is. */
  isUnchanged: boolean
  /** Whether it is the whole text of the element, and literal or unchanged. */
  isWholeText: boolean
}

/** A record, and a place in its value. */
export type RecordPlace = [record: string, ...path: (string | number)[]]

/** Where a picture is chosen: `source` in a template, or `record`. */
export interface PictureChoice {
  /** What is written there: the address of the picture, or the name of the file. */
  by: 'url' | 'name'
  source: SourceRange | null
  record: RecordPlace | null
}

/** Where an element of a draft is written. If a tag or output prints the element, that tag or output. */
export interface MarkedElement extends SourceRange {
  name: string
  /** End of the start tag. */
  tagEnd: number
  /** Whether the source has the start tag as it is. */
  isLiteral: boolean
  /** What is directly in the element, in order; first what is in its start tag. */
  contents: WrittenContent[]
  /** For an `img` whose source alone says which picture it shows. */
  picture: PictureChoice | null
}

/** Where the elements of a draft are written. The attribute {@link MARK_ATTRIBUTE} is an index in `elements`. */
export interface PageMarks {
  bodies: TemplateError['where'][]
  elements: MarkedElement[]
}

/** Why a page could not be evaluated, shown to its visitor (contract: template evaluation, syntax errors). */
export interface TemplateError {
  /** The response has this value in its `X-Template-Error` header. */
  kind: 'syntax' | 'timeout' | 'missing_part' | 'render' | 'too_large'
  /**
   * Whether the error can be found without evaluating the page: a syntax error, or a missing part that is included by
   * literal name.
   */
  isInSource: boolean
  message: string
  /** The message for readers, if `message` quotes the template or its values. */
  readersMessage?: string
  /** How to fix the error. */
  advice: string
  /** A name in the template after the error's position, and the existing name that the author probably meant. */
  correction?: { written: string; nearest: string }
  where: { body: 'page' | 'part'; name: string }
  /** From 1; null if the position is unknown. */
  line: number | null
  column: number | null
  /** The source line, shortened around the error if it is long. */
  excerpt: string | null
}

/** A `meta` element: its name or property, and its content. */
export interface HeadMeta {
  key: 'name' | 'property'
  name: string
  content: string
  media?: string
}

/** A `link` element. Its address is absolute, or a `data:` image. */
export interface HeadLink {
  rel: string
  href: string
  type?: string
  title?: string
  sizes?: string
  media?: string
  hreflang?: string
  color?: string
}

/** The metadata in the head of a document, as its author wrote it. */
export interface DocumentHead {
  title: string | null
  lang: string | null
  dir: 'ltr' | 'rtl' | 'auto' | null
  metas: HeadMeta[]
  links: HeadLink[]
  /** Blocks of JSON-LD, each as JSON. */
  data: string[]
}

/** The head of an evaluated document. */
export interface RenderedHead {
  head: DocumentHead
  /** True when only a write can change the document: its templates use neither the clock nor randomness. */
  isStable: boolean
}

/** The head of a page's document, or its template error. */
export type HeadOutcome = ({ ok: true } & RenderedHead) | { ok: false; error: TemplateError }

/** The outcome of evaluating a draft for its editor. There are no marks if the draft is too large for them. */
export type MarkedOutcome =
  | (Extract<RenderOutcome, { ok: true }> & { marks?: PageMarks })
  | Extract<RenderOutcome, { ok: false }>

/**
 * The outcome of evaluating a page: the document as UTF-8 bytes and its head, or a template error. If the request asks
 * for a review, a document comes with the review, and an error can come with hints.
 */
export type RenderOutcome =
  | ({ ok: true; html: Buffer; review?: PageReview } & RenderedHead)
  | { ok: false; error: TemplateError; hints?: PageReview['hints'] }

/** Which parts a body includes, whether it is valid Liquid, and hints for its author. */
export interface TemplateAnalysis {
  /** Names of parts written literally in `render`, `include` and `layout`: unique, sorted. */
  references: string[]
  parses: boolean
  hints: TemplateHint[]
}

/** The old and the new name of a part. */
export interface PartRename {
  from: string
  to: string
}

/** A body after a part was renamed in it. */
export type RenamedBody = TemplateAnalysis & { html: string }

/** How busy a renderer is. */
export interface RendererLoad {
  /** Jobs that wait or run. */
  open: number
  /** Jobs that wait for a worker. */
  waiting: number
  /** Jobs since startup whose worker was killed because they exceeded their time or memory. */
  cutOffs: number
}

/** Evaluates templates in separate processes. */
export interface Renderer {
  readonly load: RendererLoad
  /**
   * Evaluates a page. Template errors are results, not rejections. Rejects with a {@link RendererBusyError} when the
   * queue is full, and with the error that `snapshot` rejects with.
   */
  render(request: RenderRequest): Promise<RenderOutcome>
  /** Evaluates a draft for its editor: like `render`, but the document has marks, and nothing is cached. */
  renderMarked(request: RenderRequest): Promise<MarkedOutcome>
  /** Returns the head of a page's document; evaluates the page only if the head is not cached. */
  head(request: RenderRequest): Promise<HeadOutcome>
  /**
   * Finds the parts that a body includes by literal name. Rejects with a {@link RendererBusyError} as `render` does.
   *
   * @param account the account that sent the body; accounts take turns
   */
  analyze(html: string, account: string): Promise<TemplateAnalysis>
  /**
   * Renames a part where a body includes it by literal name, and leaves everything else as it is. Rejects as `analyze`
   * does. If the name can't be replaced everywhere, the returned `references` still contain the old name.
   */
  renamePart(html: string, rename: PartRename, account: string): Promise<RenamedBody>
  /** Ends all processes and rejects the queued jobs. Resolves when no process is left. */
  stop(): Promise<void>
}

/** The renderer's queue is full; retry after `retryAfterSeconds`. */
export class RendererBusyError extends Error {
  readonly retryAfterSeconds = 2

  constructor(message = 'Too many pages are waiting for evaluation.') {
    super(message)
    this.name = 'RendererBusyError'
  }
}
