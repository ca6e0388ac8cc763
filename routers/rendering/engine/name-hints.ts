import type { PageReview, TemplateHint } from '../../api/renderer.ts'
import { positionsIn } from './position.ts'
import { type BodyNames, type NameRead, readNames } from './read-names.ts'
import type { Site } from './site.ts'
import { closestTo } from './suggest.ts'
import type { Tree } from './trees.ts'

/** Maximum number of hints for one body, and the maximum length of a name in a hint, in characters. */
const MAX_HINTS = 20
const LONGEST_NAME = 60

/** The variables of a page. Some of them have fixed fields. */
const VARIABLES = ['space', 'page', 'pages', 'files', 'data']
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  space: ['name', 'subdomain', 'url'],
  page: ['slug', 'url'],
}
const ELEMENT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  pages: ['slug', 'url'],
  files: ['name', 'contentType', 'size', 'url'],
}
/** Maximum number of fields of a record that are compared with a name. */
const MAX_FIELDS = 300

/** Properties that every value has in templates. */
const EVERYWHERE = new Set(['size', 'first', 'last'])

/** A page or part that is reviewed. */
export interface ReviewedBody {
  where: PageReview['hints'][number]['where']
  tree: Tree
}

type Found = Pick<TemplateHint, 'message' | 'nearest' | 'written' | 'layout'> & { begin: number }
type Body = ReviewedBody & { names: BodyNames }

/**
 * Finds names that do not exist: variables, fields, records, parts and blocks. There is no data flow analysis: a
 * variable that one of the bodies defines counts as defined in all of them.
 *
 * @param reviewed the page, then the parts that it includes
 * @returns the hints of each body, in the order of `reviewed`
 */
export function nameHints(site: Site, reviewed: readonly ReviewedBody[]): TemplateHint[][] {
  const bodies = reviewed.map(body => ({
    ...body,
    names: readNames('templates' in body.tree ? body.tree.templates : []),
  }))
  const check = new NameCheck(site, bodies)
  return bodies.map(body => positioned(check.hintsFor(body), body.names.source))
}

class NameCheck {
  private readonly site: Site
  private readonly bodies: ReadonlyMap<string, Body>
  private readonly defined: ReadonlySet<string>
  private readonly elements = new Map<string, string | null>()
  /** The parts that see the variables of the page. */
  private readonly open = new Set<string>()
  /** Whether a body that is missing or does not parse could define further variables. */
  private readonly isPartial: boolean

  constructor(site: Site, bodies: readonly Body[]) {
    this.site = site
    const parts = bodies.filter(({ where }) => where.body === 'part')
    this.bodies = new Map(parts.map(body => [body.where.name, body]))
    this.defined = new Set(bodies.flatMap(({ names }) => [...names.defined]))
    this.isPartial = bodies.some(
      ({ tree, names }) =>
        'error' in tree || names.parts.some(({ name, tag }) => tag !== 'render' && !site.part(name)),
    )
    for (const { names } of bodies)
      for (const [name, list] of names.elements)
        this.elements.set(name, this.elements.has(name) && this.elements.get(name) !== list ? null : list)
    const page = bodies.find(({ where }) => where.body === 'page')
    if (page) this.markOpen(page)
  }

  hintsFor(body: Body): Found[] {
    const { names } = body
    const found = [
      ...names.reads.flatMap(read => this.checkRead(body, read) ?? []),
      ...names.parts.flatMap(({ name, begin }) =>
        this.site.part(name) ? [] : [this.missing('part', name, this.site.partNames, begin)],
      ),
      ...this.checkBlocks(names),
    ]
    const unique = new Map(found.toReversed().map(hint => [hint.message, hint]))
    return [...unique.values()].sort((a, b) => a.begin - b.begin).slice(0, MAX_HINTS)
  }

  /** Marks the parts that a body includes with `include` or `layout`, because they see the body's variables. */
  private markOpen({ names }: Body): void {
    for (const { name, tag } of names.parts) {
      const part = this.bodies.get(name)
      if (tag === 'render' || !part || this.open.has(name)) continue
      this.open.add(name)
      this.markOpen(part)
    }
  }

  private checkRead({ where }: Body, { path, begin, isTested }: NameRead): Found | undefined {
    const [root, field] = path
    if (root == null) return undefined
    const isVariable = VARIABLES.includes(root)
    if (this.defined.has(root)) return isTested ? undefined : this.checkElement(root, field, begin)
    if (isVariable && where.body === 'part' && !this.open.has(where.name))
      return {
        message: `“${root}” is empty here: a part included with {% render %} sees only the variables passed to it. Pass it with “${root}: ${root}”, or use {% include %}.`,
        ...uncorrected,
        begin,
      }
    if (isTested) return undefined
    if (isVariable) return this.checkField(path, begin)
    const correction = correct(root, [...VARIABLES, ...this.defined])
    // The hint could be wrong: another page may pass the variable to this part, or a part that is still missing or
    // broken may define the variable later. So report only a likely typo.
    if ((where.body === 'part' || this.isPartial) && correction.nearest === null) return undefined
    return { message: `There is no variable “${clip(root)}”, so its value is empty.`, ...correction, begin }
  }

  private checkElement(root: string, field: string | null | undefined, begin: number): Found | undefined {
    const list = this.elements.get(root)
    if (!list) return undefined
    const fields = ELEMENT_FIELDS[list]
    if (fields) return fieldHint(`an element of “${list}”`, fields, field, begin)
    const elements = this.site.record(list.slice('data.'.length))
    if (!Array.isArray(elements) || field === root) return undefined
    return likelyTypo(`An element of “${clip(list)}”`, elements, field, begin)
  }

  private checkField(path: NameRead['path'], begin: number): Found | undefined {
    const [root, field, member] = path as [string, ...NameRead['path']]
    if (root !== 'data') return fieldHint(`“${root}”`, FIELDS[root], field, begin)
    if (field == null || EVERYWHERE.has(field)) return undefined
    const keys = this.site.dataKeys
    if (keys.includes(field)) {
      const record = this.site.record(field)
      const isFindable = member !== root && member !== field
      return isFindable ? likelyTypo(`The record “${clip(field)}”`, [record], member, begin) : undefined
    }
    const hint = this.missing('data record', field, keys, begin)
    // Suggest no correction in `data.data`: it would replace the first `data`, which is the variable.
    return field === root ? { ...hint, ...uncorrected } : hint
  }

  private missing(what: string, name: string, existing: Iterable<string>, begin: number): Found {
    return {
      message: `There is no ${what} “${clip(name)}”.`,
      ...correct(name, existing),
      begin,
    }
  }

  /** Finds blocks that a body's layout does not have, and content outside blocks if the layout shows only blocks. */
  private checkBlocks({ parts, blocks, outside }: BodyNames): Found[] {
    const layout = parts.find(({ tag }) => tag === 'layout')
    const available = layout && this.blocksOf(layout.name)
    if (!layout || !available) return []
    const unknown = blocks.filter(({ name, isNested }) => !isNested && !available.has(name))
    const lost = outside !== null && !available.has('')
    return [
      ...unknown.map(({ name, begin }) => ({
        message: `The layout “${layout.name}” has no block “${clip(name)}”, so this block is not shown.`,
        ...correct(name, available),
        layout: layout.name,
        begin,
      })),
      ...(lost
        ? [
            {
              message: `The layout “${layout.name}” shows only blocks. Content outside blocks is not shown.`,
              ...uncorrected,
              layout: layout.name,
              begin: outside,
            },
          ]
        : []),
    ]
  }

  /**
   * Returns the names of all blocks in a layout. If the layout has a layout of its own, the blocks of that layout are
   * included, and so on. Undefined if one of these layouts is missing or broken.
   */
  private blocksOf(name: string, seen: readonly string[] = []): Set<string> | undefined {
    const body = this.bodies.get(name)
    if (!body || 'error' in body.tree || seen.includes(name)) return undefined
    const { blocks, parts } = body.names
    const outer = parts.find(({ tag }) => tag === 'layout')
    const inherited = outer ? this.blocksOf(outer.name, [...seen, name]) : new Set<string>()
    return inherited && new Set([...blocks.map(block => block.name), ...inherited])
  }
}

/** The hint for a field that a variable with fixed fields does not have. */
function fieldHint(
  owner: string,
  fields: readonly string[] | undefined,
  field: string | null | undefined,
  begin: number,
): Found | undefined {
  if (!fields || field == null || fields.includes(field) || EVERYWHERE.has(field)) return undefined
  const list = `${fields.slice(0, -1).join(', ')} and ${fields.at(-1)}`
  const message = `${owner[0]!.toUpperCase()}${owner.slice(1)} has no field “${clip(field)}”; it has ${list}.`
  return { message, ...correct(field, fields), begin }
}

/**
 * Returns a hint if no object has the field, but one of the objects has a field with a similar name. Fields of
 * records are often optional, so other unknown names are not reported.
 */
function likelyTypo(
  owner: string,
  objects: readonly unknown[],
  field: string | null | undefined,
  begin: number,
): Found | undefined {
  if (field == null || EVERYWHERE.has(field)) return undefined
  const fields = new Set<string>()
  for (const object of objects) {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) continue
    if (Object.hasOwn(object, field)) return undefined
    for (const name in object) if (fields.size < MAX_FIELDS) fields.add(name)
  }
  const correction = correct(field, fields)
  if (correction.nearest === null) return undefined
  return { message: `${owner} has no field “${clip(field)}”.`, ...correction, begin }
}

function positioned(found: readonly Found[], source: string): TemplateHint[] {
  const positions = positionsIn(
    source,
    found.map(({ begin }) => begin),
  )
  return found.map(({ message, nearest, written, layout }, index) => ({
    message,
    nearest,
    written,
    ...(layout === undefined ? {} : { layout }),
    ...positions[index]!,
  }))
}

/** The fields of a hint that suggests no correction. */
const uncorrected = { nearest: null, written: null }

const correct = (name: string, existing: Iterable<string>): Pick<Found, 'nearest' | 'written'> => {
  const nearest = closestTo(clip(name), existing)
  return nearest === undefined ? uncorrected : { nearest, written: name }
}

const clip = (name: string) => name.slice(0, LONGEST_NAME).toWellFormed()
