import { Liquid, type Template } from 'liquidjs'
import { registerFilters } from './filters/register.ts'
import { replaceMembers } from './liquidjs.ts'
import { OPERATORS } from './operators.ts'
import { type ParsedTemplate, parseBody } from './parser.ts'
import { renderTemplates } from './render.ts'
import { registerTags } from './tags/custom.ts'
import { patchTokenizer } from './tokenizer.ts'

/** Finds a part's parsed body by name, or throws. */
export type PartLoader = (name: unknown) => Template[]

/**
 * The template language: liquidjs with escaping on, without access to JavaScript prototypes, with a budget for loops,
 * filters and tags, and with includes limited to parts. One per process, because it patches liquidjs's tokenizer
 * globally.
 */
export class Engine {
  private readonly liquid: Liquid

  constructor(load: PartLoader) {
    patchTokenizer()
    this.liquid = new Liquid({
      outputEscape: 'escape',
      ownPropertyOnly: true,
      relativeReference: false,
      lenientIf: true,
      operators: OPERATORS,
      globals: Object.freeze(Object.create(null)),
      locale: 'en-US',
      // The process runs in UTC, so dates without a zone and all printed dates are in UTC.
      preserveTimezones: false,
    })
    registerFilters(this.liquid)
    registerTags(this.liquid)
    replaceMembers(this.liquid, renderTemplates, load)
  }

  /** Parses a body; see {@link parseBody}. */
  parse(html: string, file: string): ParsedTemplate {
    return parseBody(this.liquid, html, file)
  }

  /** The liquidjs instance, in which contexts look up filters and options. */
  get forContext(): Liquid {
    return this.liquid
  }
}
