/**
 * The members of liquidjs that its types mark as private or leave out. Other files use them only through this one, except
 * that `tokenizer.ts` patches the methods of the tokenizer. Decision 18 lists what breaks when they change.
 */
import {
  type CaseTag,
  type Context,
  type CycleTag,
  type evalToken,
  LayoutTag,
  type Liquid,
  type Template,
  type Value,
} from 'liquidjs'

type Scope = Parameters<Context['readProperty']>[0]
type Token = Parameters<typeof evalToken>[0]

/** The scopes of a context, the innermost last, and the scope that has a variable. */
export const scopesOf = (context: Context) =>
  context as unknown as { scopes: Scope[]; findScope(key: string): Scope }

/** Makes an engine render with `render` and find parts with `load`. */
export const replaceMembers = (
  liquid: Liquid,
  render: (templates: Template[], context: Context) => string,
  load: (name: unknown) => Template[],
): void => {
  liquid.renderer.renderTemplates = render as unknown as typeof liquid.renderer.renderTemplates
  liquid._parsePartialFile = load as unknown as typeof liquid._parsePartialFile
  liquid._parseLayoutFile = load as unknown as typeof liquid._parseLayoutFile
}

/** The templates of a part, found with the function that {@link replaceMembers} has set. */
export const partOf = (liquid: Liquid, name: string, currentFile: string | undefined): Template[] =>
  liquid._parsePartialFile(name, true, currentFile) as unknown as Template[]

/** The lists in which the tags `if`, `unless`, `case`, `for` and `liquid` keep their content. */
export const contentsOf = (template: Template): Template[][] => {
  const { templates, elseTemplates, branches } = template as unknown as {
    templates?: Template[]
    elseTemplates?: Template[]
    branches?: { templates: Template[] }[]
  }
  return [templates, elseTemplates, ...(branches ?? []).map(branch => branch.templates)].filter(
    list => list !== undefined,
  )
}

/** A value that is passed to a part, and the variable that it gets there. */
interface Binding {
  value: Token & { end: number }
  alias?: string
}

/** What the tags `render`, `include` and `layout` were parsed to: the name of a part, and the values for the part. */
export interface Including {
  file: string | Template[] | Token
  currentFile?: string
  hash: { hash: object; render(context: Context): unknown }
  /** What `layout` has instead of `hash`. */
  args?: { hash: object }
  with?: Binding
  forBinding?: Binding
}

/** Reads a `render`, `include` or `layout` tag. */
export const includingOf = (tag: Template): Including => tag as unknown as Including

/** The part that a body names literally as its layout; undefined if there is none. */
export const layoutOf = (templates: readonly Template[]): string | undefined => {
  const layout = templates.find(template => template instanceof LayoutTag)
  const file = layout && includingOf(layout).file
  return typeof file === 'string' ? file : undefined
}

/** Members that templates have for static analysis. */
export const analysisOf = (template: Template) =>
  template as unknown as {
    arguments?(): Iterable<unknown>
    localScope?(): Iterable<{ content: string }>
    blockScope?(): Iterable<string>
    children?(partials: boolean, sync: boolean): unknown
    /** The content of our own block tags. */
    contents?: Template[]
  }

/** What a `case` tag was parsed to. */
export const caseOf = ({ value, branches, elseTemplates }: CaseTag) => ({
  value,
  branches,
  otherwise: elseTemplates,
})

/** The values of a `cycle` tag, and its name. */
export const cycleOf = (tag: CycleTag) => {
  const { candidates, group } = tag as unknown as {
    candidates: ConstructorParameters<typeof Value>[0][]
    group?: Token
  }
  return { count: candidates.length, group, valueAt: (turn: number) => candidates[turn] }
}
