import { filters, tags } from 'liquidjs'
import { Engine } from './engine/engine.ts'
import { OWN_FILTERS } from './engine/own-filters.ts'
import { OWN_TAGS } from './engine/tags.ts'

const sorted = (...registered: object[]): string[] =>
  [...new Set(registered.flatMap(names => Object.keys(names)))].sort()

const names = sorted(tags, OWN_TAGS)
const engine = new Engine(() => [])

/** What tags that hold something take, one kind or another. */
const ARGUMENTS = ['', 'a', '"a"', 'a in b']

/** Whether a tag ends with one of its own: the language has no list of them, but its parser knows. */
const isBlock = (tag: string): boolean =>
  ARGUMENTS.some(written => {
    try {
      engine.parse(`{% ${tag} ${written} %}{% end${tag} %}`, 'a block')
      return true
    } catch {
      return false
    }
  })

/** The words of the template language: whatever the engine registers. */
export const vocabulary = {
  tags: names,
  /** Those tags that hold something, up to their end. */
  blocks: names.filter(isBlock),
  filters: sorted(filters, OWN_FILTERS),
}
