import {
  CaseTag,
  ForTag,
  IfTag,
  LayoutTag,
  RenderTag,
  type Template,
  TypeGuards,
  toValueSync,
  UnlessTag,
  type Value,
} from 'liquidjs'
import { analysisOf, type Including, includingOf } from './liquidjs.ts'
import { PrintedOutput } from './output.ts'
import { implicitBindings, type LiteralUse, literalPlace } from './part-places.ts'
import { Block } from './tags/block.ts'
import { Include } from './tags/include.ts'

/** A path that a body reads, such as `data.events`. Segments that are not literal are null. */
export interface NameRead {
  path: (string | null)[]
  begin: number
  /** Whether an empty value is expected here: in a condition, or before the filter `default`. */
  isTested: boolean
}

/** A tag that names a part literally. */
export interface PartUse extends LiteralUse {
  tag: 'render' | 'include' | 'layout'
  begin: number
}

/** The names in one body: what it reads and defines, and the parts and blocks it names. */
export interface BodyNames {
  reads: NameRead[]
  /** Variables that any tag of the body defines, or passes to a part. */
  defined: Set<string>
  /**
   * For each loop variable, the list whose elements it contains: `pages`, `files`, or a record such as
   * `data.events`. Null if the variable also gets values from elsewhere.
   */
  elements: Map<string, string | null>
  parts: PartUse[]
  /** A nested block is part of the content of the block around it. */
  blocks: { name: string; begin: number; isNested: boolean }[]
  /** For a body with a layout: where its first content outside all blocks begins; null if there is none. */
  outside: number | null
  /** The text that positions refer to. */
  source: string
}

const CONDITIONS = [IfTag, UnlessTag, CaseTag]

/** Collects the names in a body. Does not follow the parts that it includes. */
export function readNames(templates: readonly Template[]): BodyNames {
  const reader = new NameReader(templates[0]?.token.input ?? '')
  for (const template of templates) reader.visit(template)
  return reader.names
}

class NameReader {
  readonly names: BodyNames
  private openBlocks = 0

  constructor(source: string) {
    this.names = {
      reads: [],
      defined: new Set(),
      elements: new Map(),
      parts: [],
      blocks: [],
      outside: null,
      source,
    }
  }

  visit(template: Template): void {
    const { names } = this
    const { begin } = template.token
    const parts = analysisOf(template)
    const isTested = CONDITIONS.some(tag => template instanceof tag)
    if (template instanceof PrintedOutput && template.path)
      this.add([...template.path], template.pathBegin, false)
    for (const argument of parts.arguments?.() ?? []) this.readArgument(argument, isTested)
    for (const { content } of parts.localScope?.() ?? []) this.define(content)
    for (const name of parts.blockScope?.() ?? [])
      if (!(template instanceof ForTag && name === template.variable)) this.define(name)
    if (template instanceof ForTag) this.defineElement(template)
    const isBlock = template instanceof Block
    if (isBlock) names.blocks.push({ name: template.blockName, begin, isNested: this.openBlocks > 0 })
    if (template instanceof RenderTag || template instanceof LayoutTag)
      this.readInclude(includingOf(template), tagOf(template), begin)
    const children = (parts.contents ?? toValueSync(parts.children?.(false, true)) ?? []) as Template[]
    if (template instanceof LayoutTag) names.outside ??= outsideOf(children)
    if (isBlock) this.openBlocks += 1
    for (const child of children) this.visit(child)
    if (isBlock) this.openBlocks -= 1
  }

  private define(name: string): void {
    this.names.defined.add(name)
    if (this.names.elements.has(name)) this.names.elements.set(name, null)
  }

  private defineElement({ variable, collection }: ForTag): void {
    const { elements, defined } = this.names
    const path = TypeGuards.isPropertyAccessToken(collection) ? pathOf(collection) : []
    const list = listOf(path)
    const isSame = !defined.has(variable) || elements.get(variable) === list
    defined.add(variable)
    elements.set(variable, isSame ? list : null)
  }

  private readInclude(including: Including, tag: PartUse['tag'], begin: number): void {
    const { file, hash, args, with: single, forBinding } = including
    for (const name of Object.keys({ ...hash?.hash, ...args?.hash })) this.define(name)
    if (typeof file !== 'string') return
    const { source } = this.names
    const place = literalPlace(source, begin)
    const bindings = implicitBindings(source, file, [single, forBinding])
    this.names.parts.push({ name: file, tag, begin, place, bindings })
    if (single) this.define(single.alias ?? file)
    if (forBinding) this.define(forBinding.alias ?? file)
    if (forBinding) this.define('forloop')
  }

  private readArgument(argument: unknown, isTested: boolean): void {
    if (isValue(argument)) {
      const hasDefault = argument.filters.some(({ name }) => name === 'default')
      for (const token of argument.initial.postfix) this.readToken(token, isTested || hasDefault)
      for (const { args } of argument.filters)
        for (const arg of args) this.readToken(Array.isArray(arg) ? arg[1] : arg, false)
    } else this.readToken(argument, isTested)
  }

  private readToken(token: unknown, isTested: boolean): void {
    if (TypeGuards.isRangeToken(token)) {
      this.readToken(token.lhs, isTested)
      this.readToken(token.rhs, isTested)
    } else if (TypeGuards.isPropertyAccessToken(token)) {
      if (token.input === this.names.source) this.add(pathOf(token), token.begin, isTested)
      for (const property of token.props.slice(1)) this.readToken(property, isTested)
    } else if (isValue(token)) this.readArgument(token, isTested)
  }

  private add(path: (string | null)[], begin: number, isTested: boolean): void {
    this.names.reads.push({ path, begin, isTested })
  }
}

/** Returns the path as text if it leads to `pages`, `files` or a record; otherwise null. */
function listOf([root, key, ...rest]: readonly (string | null)[]): string | null {
  if (root === 'data') return key == null || rest.length > 0 ? null : `data.${key}`
  return key === undefined && (root === 'pages' || root === 'files') ? root : null
}

function tagOf(template: Template): PartUse['tag'] {
  if (template instanceof LayoutTag) return 'layout'
  return template instanceof Include ? 'include' : 'render'
}

/**
 * For a body with a layout: where its first content outside all blocks begins, ignoring white space; null if there is
 * none.
 */
function outsideOf(templates: readonly Template[]): number | null {
  if (templates.some(template => template instanceof Block && template.blockName === '')) return null
  const shown = templates.find(
    template => template instanceof PrintedOutput || ('isBlank' in template && template.isBlank === false),
  )
  return shown ? shown.token.begin : null
}

/** Whether this is liquidjs's `Value`, or its token for a filtered value. */
function isValue(value: unknown): value is Pick<Value, 'initial' | 'filters'> {
  return typeof value === 'object' && value !== null && 'initial' in value && 'filters' in value
}

/** The members of liquidjs's `PropertyAccessToken` that this file uses. */
interface PropertyAccess {
  props: readonly unknown[]
  variable?: unknown
}

function pathOf({ variable, props }: PropertyAccess): (string | null)[] {
  const segments = variable === undefined ? props : [null, ...props]
  return segments.map((segment: unknown) =>
    TypeGuards.isWordToken(segment) || TypeGuards.isQuotedToken(segment) ? segment.content : null,
  )
}
