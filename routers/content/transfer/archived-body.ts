import { digestOfBody } from '../../../db/queries/items.ts'
import { limits } from '../../core/rules.ts'
import { type BodyAuthor, includesOf } from '../includes.ts'

/** A body with the parts that it includes by literal name. */
export interface Template {
  html: string
  includes: string[]
}

/** The body of a page in an archive. All bodies together can be larger than the memory. */
export interface ArchivedBody {
  /** SHA-256 of the body. */
  digest: Buffer
  /** Whether the body contains the domain that serves files. */
  hasAddress: boolean
  load: () => Promise<Template>
}

/** Reads bodies and keeps the first ones in memory; later ones are read and analyzed again when they are needed. */
export class BodyReader {
  readonly #author: BodyAuthor
  readonly #domain: string
  #capacity: number = limits.archiveMemory

  /** @param domain the domain that file addresses in the bodies have */
  constructor(author: BodyAuthor, domain: string) {
    this.#author = author
    this.#domain = domain
  }

  /** @param read returns the body each time it is called */
  async body(html: string, read: () => Promise<string>): Promise<ArchivedBody> {
    const template = await this.template(html)
    // Two bytes for each character, because one character that is not Latin-1 doubles the size of its string.
    const size = template.includes.reduce((sum, name) => sum + name.length + POINTER, 2 * html.length)
    const isKept = size <= this.#capacity
    if (isKept) this.#capacity -= size
    return {
      digest: digestOfBody(html),
      hasAddress: html.includes(`.${this.#domain}`),
      load: isKept ? keeping(template) : this.#rereading(read),
    }
  }

  // The functions below are not written inside `body`: all functions of one scope share its variables, so the function
  // that reads a body again would keep the body in memory.

  #rereading(read: () => Promise<string>): () => Promise<Template> {
    return async () => this.template(await read())
  }

  async template(html: string): Promise<Template> {
    return { html, includes: await includesOf(this.#author, html) }
  }
}

const keeping = (template: Template) => async () => template

/** Memory that a short string takes in addition to its characters, in bytes. */
const POINTER = 32
