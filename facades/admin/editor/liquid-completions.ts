import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
} from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Vocabulary } from './code-editor-props.ts'
import { openBlocks } from './liquid-tags.ts'
import { forloop, itemsOf, membersOf, type Schema, typeName, variablesOf } from './schemas.ts'

/** Number of characters before the cursor that completion considers. */
const CONTEXT_LENGTH = 5_000

/** Tags that start another branch of a block. */
const BRANCHES = ['else', 'elsif', 'when']

const IDENTIFIER = /^[A-Za-z_]\w*$/

const toCompletions = (labels: readonly string[], type: string): Completion[] =>
  labels.map(label => ({ label, type }))

/** Completes a member's name. A name that cannot follow a dot is put in brackets, which replace the dot. */
const member = ([name, schema]: [string, Schema | undefined]): Completion => ({
  label: name,
  type: 'property',
  detail: typeName(schema),
  ...(IDENTIFIER.test(name)
    ? {}
    : {
        apply: (view: EditorView, _completion: Completion, from: number, to: number) =>
          view.dispatch(insertCompletionText(view.state, `["${name}"]`, from - 1, to)),
      }),
})

interface Suggestions {
  /** The part of the name that has been typed. */
  typed: string
  options: Completion[]
}

/**
 * Suggestions inside a tag or an output.
 *
 * @param inner the text between the opening delimiter and the cursor
 */
const inLiquid = (inner: string, isTag: boolean, before: string, known: Vocabulary): Suggestions | null => {
  const part = isTag && /^-?\s*(?:render|include|layout)\s+['"]([\w-]*)$/.exec(inner)
  if (part) return { typed: part[1]!, options: toCompletions(known.parts, 'text') }
  const key = /\bdata\[(['"])([\w-]*)$/.exec(inner)
  if (key)
    return {
      typed: key[2]!,
      options: toCompletions(
        known.data.map(({ key }) => key),
        'property',
      ),
    }
  if ((inner.match(/"/g)?.length ?? 0) % 2 === 1 || (inner.match(/'/g)?.length ?? 0) % 2 === 1) return null
  const tag = isTag && /^-?\s*(\w*)$/.exec(inner)
  if (tag) {
    const open = openBlocks(before.slice(0, before.length - inner.length - 2), known.blocks)
    const options = [
      ...open
        .toReversed()
        .map(({ name }, depth) => ({ label: `end${name}`, type: 'keyword', boost: 20 - depth })),
      ...toCompletions([...known.tags.filter(name => name !== '#'), ...BRANCHES], 'keyword'),
    ]
    return { typed: tag[1]!, options }
  }
  const filter = /\|\s*(\w*)$/.exec(inner)
  if (filter) return { typed: filter[1]!, options: toCompletions(known.filters, 'function') }
  const path = /([A-Za-z_][\w.[\]"'-]*)\.([\w-]*)$/.exec(inner)
  const scope = scopeOf(before, known)
  if (path) {
    const schema = schemaAt(path[1]!, scope)
    return schema ? { typed: path[2]!, options: [...membersOf(schema)].map(member) } : null
  }
  const name = /(?:^|[\s(,:=<>])([A-Za-z_]\w*)?$/.exec(inner)
  if (!name) return null
  const options = [...scope].map(([label, schema]) => ({ label, type: 'variable', detail: typeName(schema) }))
  return { typed: name[1] ?? '', options }
}

/** Suggestions in a URL attribute or `url()`: files by name and, in `href`, the site's pages. */
const inUrl = (before: string, known: Vocabulary): Suggestions | null => {
  const address = /(?:\b(src|href|poster|srcset)=["']|\burl\(["']?)([^"'()\s>]*)$/i.exec(before)
  if (!address) return null
  const files = known.files.map(({ name, url }) => ({
    label: name,
    apply: url,
    type: 'constant',
    detail: 'file',
  }))
  const pages = known.pages.map(slug => ({ label: `/${slug}`, type: 'text', detail: 'page' }))
  return { typed: address[2]!, options: address[1]?.toLowerCase() === 'href' ? [...pages, ...files] : files }
}

/** Returns the suggestions for the end of `before`, or null if there are none. */
export const suggestionsFor = (before: string, known: Vocabulary): Suggestions | null => {
  const tag = before.lastIndexOf('{%')
  const output = before.lastIndexOf('{{')
  const start = Math.max(tag, output)
  const isTag = tag > output
  const inner = start === -1 ? null : before.slice(start + 2)
  if (inner === null || inner.includes(isTag ? '%}' : '}}')) return inUrl(before, known)
  return inLiquid(inner, isTag, before, known)
}

/** Completion of the names that a template of this space can use. */
export const liquidCompletions = (vocabulary: () => Vocabulary | undefined): Extension => {
  const autocomplete = (context: CompletionContext): CompletionResult | null => {
    const known = vocabulary()
    if (!known) return null
    const before = context.state.sliceDoc(Math.max(0, context.pos - CONTEXT_LENGTH), context.pos)
    const found = suggestionsFor(before, known)
    if (!found || (found.typed === '' && !context.explicit && !/[.|'"[]\s?$/.test(before))) return null
    return { from: context.pos - found.typed.length, options: found.options, validFor: /^[\w-]*$/ }
  }
  // The completion must also work in the HTML, because it completes URLs there. So register it for the whole text, and
  // not only for the Liquid in the text.
  const data = [{ autocomplete }]
  return EditorState.languageData.of(() => data)
}

/** Tags that define a variable: `for`, `assign` and `capture`. */
const DEFINITIONS =
  /\{%-?\s*(?:(for)\s+(\w+)\s+in\s+([\w.[\]"'-]+)|assign\s+(\w+)\s*=\s*([\w.[\]"'-]+)|capture\s+(\w+))/g

/** Path segments: `.name`, `["name"]`, `[0]`. */
const SEGMENTS = /\.([\w-]+)|\[\s*(?:"([^"]*)"|'([^']*)'|(-?\d+))\s*\]/g

/** The schema of the value at a path such as `data.events[0].title`, or undefined if unknown. */
export const schemaAt = (
  path: string,
  scope: ReadonlyMap<string, Schema | undefined>,
): Schema | undefined => {
  const [first = ''] = /^\w+/.exec(path) ?? []
  let schema = scope.get(first)
  for (const [, dotted, double, single, index] of path.slice(first.length).matchAll(SEGMENTS)) {
    if (!schema) return undefined
    const name = dotted ?? double ?? single
    schema = name === undefined && index !== undefined ? itemsOf(schema) : membersOf(schema).get(name ?? '')
  }
  return schema
}

/**
 * The variables defined before the cursor, each with its schema if known. Variables of a loop are included after its
 * end too, because an extra suggestion does no harm.
 */
export const scopeOf = (before: string, vocabulary: Vocabulary): Map<string, Schema | undefined> => {
  const scope = new Map<string, Schema | undefined>(Object.entries(variablesOf(vocabulary)))
  for (const [, isLoop, item = '', list = '', name, path = '', captured] of before.matchAll(DEFINITIONS)) {
    if (isLoop) {
      const schema = schemaAt(list, scope)
      scope.set(item, schema && itemsOf(schema)).set('forloop', forloop)
    } else if (name !== undefined) scope.set(name, schemaAt(path, scope))
    else if (captured !== undefined) scope.set(captured, { type: 'string' })
  }
  return scope
}
