/** A rectangle in the document of a draft, in its CSS pixels. */
export interface Rect {
  left: number
  top: number
  width: number
  height: number
}

/** What a draft says about one of its marks. */
export interface MarkMessage {
  /** The person points at the element or clicks it, or it is the one that the dashboard has asked for. */
  on: 'point' | 'pick' | 'track'
  /** Number of the mark; null for an element that a script has made. */
  mark: number | null
  /** Null if there is no such element. */
  rect: Rect | null
}

const KINDS = ['point', 'pick', 'track'] as const

/** Largest coordinate that is believed. */
const FARTHEST = 1_000_000

const readRect = (rect: unknown): Rect | null | undefined => {
  if (rect === null) return null
  if (!Array.isArray(rect) || rect.length !== 4 || !rect.every(Number.isFinite)) return undefined
  const [left, top, width, height] = (rect as number[]).map(side =>
    Math.min(Math.max(side, -FARTHEST), FARTHEST),
  ) as [number, number, number, number]
  return { left, top, width: Math.max(0, width), height: Math.max(0, height) }
}

/**
 * Reads a message about a mark. A script in the draft can forge it, so nothing is taken from it but a number below
 * `count` and a rectangle. Returns undefined for anything else.
 *
 * @param count how many marks the draft has
 */
export const readMark = (data: unknown, count: number): MarkMessage | undefined => {
  const { on, mark, rect } = (data ?? {}) as Record<string, unknown>
  const kind = KINDS.find(name => name === on)
  const place = readRect(rect)
  const isKnown =
    mark === null || (Number.isInteger(mark) && (mark as number) >= 0 && (mark as number) < count)
  if (!kind || place === undefined || !isKnown) return undefined
  return { on: kind, mark: mark as number | null, rect: place }
}
