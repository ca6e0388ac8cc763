import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  insertCompletionText,
} from '@codemirror/autocomplete'
import { EditorState, type Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { scopeOf, shapeAt } from './scope.ts'
import { inAWord, membersOf, type Shape } from './shapes.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Characters before the cursor that are looked at for where it is. */
const LOOKED_AT = 5_000

/** Words between a tag and its end. */
const BRANCHES = ['else', 'elsif', 'when']

const IDENTIFIER = /^[A-Za-z_]\w*$/

const words = (labels: readonly string[], type: string): Completion[] =>
  labels.map(label => ({ label, type }))

/** A member whose name cannot stand behind a dot takes brackets in the dot's place. */
const member = ([name, shape]: [string, Shape | undefined]): Completion => ({
  label: name,
  type: 'property',
  detail: inAWord(shape),
  ...(IDENTIFIER.test(name)
    ? {}
    : {
        apply: (view: EditorView, _completion: Completion, from: number, to: number) =>
          view.dispatch(insertCompletionText(view.state, `["${name}"]`, from - 1, to)),
      }),
})

/** The tags that end what is open, the innermost first. */
const closing = (before: string, blocks: readonly string[]): string[] => {
  const open: string[] = []
  for (const [, name = ''] of before.matchAll(/\{%-?\s*(\w+)/g)) {
    if (blocks.includes(name)) open.unshift(name)
    else if (name.startsWith('end') && open[0] === name.slice(3)) open.shift()
  }
  return open.map(name => `end${name}`)
}

interface Place {
  /** Where what is typed begins, counted back from the cursor. */
  typed: string
  options: Completion[]
}

/** Proposals inside a tag or an output. `inner` is what stands between its beginning and the cursor. */
const inLiquid = (inner: string, isTag: boolean, before: string, known: Vocabulary): Place | null => {
  const part = isTag && /^-?\s*(?:render|include|layout)\s+['"]([\w-]*)$/.exec(inner)
  if (part) return { typed: part[1]!, options: words(known.parts, 'text') }
  const key = /\bdata\[(['"])([\w-]*)$/.exec(inner)
  if (key)
    return {
      typed: key[2]!,
      options: words(
        known.data.map(({ key }) => key),
        'property',
      ),
    }
  if ((inner.match(/"/g)?.length ?? 0) % 2 === 1 || (inner.match(/'/g)?.length ?? 0) % 2 === 1) return null
  const tag = isTag && /^-?\s*(\w*)$/.exec(inner)
  if (tag) {
    const ends = closing(before.slice(0, before.length - inner.length - 2), known.blocks)
    const options = [
      ...ends.map((label, depth) => ({ label, type: 'keyword', boost: 20 - depth })),
      ...words([...known.tags.filter(name => name !== '#'), ...BRANCHES], 'keyword'),
    ]
    return { typed: tag[1]!, options }
  }
  const filter = /\|\s*(\w*)$/.exec(inner)
  if (filter) return { typed: filter[1]!, options: words(known.filters, 'function') }
  const path = /([A-Za-z_][\w.[\]"'-]*)\.([\w-]*)$/.exec(inner)
  const scope = scopeOf(before, known)
  if (path) {
    const shape = shapeAt(path[1]!, scope)
    return shape ? { typed: path[2]!, options: [...membersOf(shape)].map(member) } : null
  }
  const name = /(?:^|[\s(,:=<>])([A-Za-z_]\w*)?$/.exec(inner)
  if (!name) return null
  const options = [...scope].map(([label, shape]) => ({ label, type: 'variable', detail: inAWord(shape) }))
  return { typed: name[1] ?? '', options }
}

/** Proposals where HTML and CSS name an address: files by their names, and the site's own pages. */
const inAddress = (before: string, known: Vocabulary): Place | null => {
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

/** What can be written at the end of a text. */
export const proposals = (before: string, known: Vocabulary): Place | null => {
  const tag = before.lastIndexOf('{%')
  const output = before.lastIndexOf('{{')
  const begin = Math.max(tag, output)
  const isTag = tag > output
  const inner = begin === -1 ? null : before.slice(begin + 2)
  if (inner === null || inner.includes(isTag ? '%}' : '}}')) return inAddress(before, known)
  return inLiquid(inner, isTag, before, known)
}

/** Proposes what a template of this space can name, as far as that is known by then. */
export const liquidCompletions = (vocabulary: () => Vocabulary | undefined): Extension => {
  const autocomplete = (context: CompletionContext): CompletionResult | null => {
    const known = vocabulary()
    if (!known) return null
    const before = context.state.sliceDoc(Math.max(0, context.pos - LOOKED_AT), context.pos)
    const place = proposals(before, known)
    if (!place || (place.typed === '' && !context.explicit && !/[.|'"[]\s?$/.test(before))) return null
    return { from: context.pos - place.typed.length, options: place.options, validFor: /^[\w-]*$/ }
  }
  // Wherever the cursor is: an address stands in HTML, in which Liquid's own data do not count.
  const data = [{ autocomplete }]
  return EditorState.languageData.of(() => data)
}
