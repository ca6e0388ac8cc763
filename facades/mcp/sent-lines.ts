import type { SavedReview } from '../../routers/content/reviews/findings.ts'
import { isObject } from './rpc.ts'

/** White space that is removed from the beginning of a body: its line breaks, and the characters after the last one. */
interface Cut {
  lines: number
  columns: number
}

interface Place {
  where?: { body: string; name: string } | null
  line: number | null
  column?: number | null
}

/**
 * Changes the positions in a review to those of the text that the caller sent. Bodies are saved without the white space
 * around them, so a body that begins with empty lines has other lines than the saved one.
 *
 * @param args the arguments of the call
 * @param data the result of the call
 */
export const inSentLines = (review: SavedReview, args: unknown, data: unknown): SavedReview => {
  const cuts = cutsIn(args, data)
  if (cuts.size === 0) return review
  const moved = <Item extends Place>(item: Item): Item => {
    const cut = item.where && cuts.get(keyOf(item.where.body, item.where.name))
    if (!cut || item.line === null) return item
    const column = item.column != null && item.line === 1 ? item.column + cut.columns : item.column
    return { ...item, line: item.line + cut.lines, ...(column === undefined ? {} : { column }) }
  }
  return {
    ...review,
    broken: review.broken.map(({ slug, error }) => ({ slug, error: moved(error) })),
    hints: review.hints.map(moved),
    links: review.links.map(moved),
    removed: review.removed.map(moved),
  }
}

const keyOf = (body: string, name: string) => `${body} ${name}`

/** Finds the bodies in a call, by kind and name. A call with a single body has its name in the result. */
const cutsIn = (args: unknown, data: unknown): Map<string, Cut> => {
  const cuts = new Map<string, Cut>()
  if (!isObject(args)) return cuts
  const add = (body: 'page' | 'part', name: unknown, html: unknown) => {
    if (typeof name !== 'string' || typeof html !== 'string') return
    const removed = html.slice(0, html.length - html.trimStart().length)
    if (removed === '') return
    const lines = removed.split('\n')
    cuts.set(keyOf(body, name.trim()), { lines: lines.length - 1, columns: lines.at(-1)!.length })
  }
  if (isObject(data)) {
    add('page', data.slug, args.html)
    add('part', data.name, args.html)
  }
  for (const page of listIn(args.pages)) add('page', page.slug, page.html)
  for (const part of listIn(args.parts)) add('part', part.name, part.html)
  return cuts
}

const listIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(item => isObject(item)) : []
