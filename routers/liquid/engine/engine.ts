import { Liquid, type Template } from 'liquidjs'
import { registerFilters } from './filters.ts'
import { type ParsedTemplate, parseBody } from './parser.ts'
import { renderTemplates } from './renderer.ts'
import { registerTags } from './tags.ts'
import { repairTokenizer } from './tokenizer.ts'

/** Finds a part's parsed body by name, or throws. */
export type PartLoader = (name: unknown) => Template[]

/**
 * The language: liquidjs with its loops, filters and tags put under a budget, escaping on, prototypes out of reach
 * and parts as the only thing to include. There is one per process, since it repairs liquidjs's tokenizer for good.
 */
export class Engine {
  private readonly liquid: Liquid

  constructor(load: PartLoader) {
    repairTokenizer()
    this.liquid = new Liquid({
      outputEscape: 'escape',
      ownPropertyOnly: true,
      relativeReference: false,
      lenientIf: true,
      globals: Object.freeze(Object.create(null)),
      locale: 'en-US',
      // The process runs in UTC, so dates without a zone, and all that are printed, are in UTC.
      preserveTimezones: false,
    })
    registerFilters(this.liquid)
    registerTags(this.liquid)
    const { liquid } = this
    liquid.renderer.renderTemplates = renderTemplates as unknown as typeof liquid.renderer.renderTemplates
    liquid._parsePartialFile = load as unknown as typeof liquid._parsePartialFile
    liquid._parseLayoutFile = load as unknown as typeof liquid._parseLayoutFile
  }

  /** Parses a body; see {@link parseBody}. */
  parse(html: string, file: string): ParsedTemplate {
    return parseBody(this.liquid, html, file)
  }

  /** What contexts of this engine need to find filters and options. */
  get forContext(): Liquid {
    return this.liquid
  }
}
