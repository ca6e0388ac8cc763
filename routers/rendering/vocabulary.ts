import { filters, tags } from 'liquidjs'
import { Engine } from './engine/engine.ts'
import { CUSTOM_FILTERS } from './engine/filters/custom.ts'
import { CUSTOM_TAGS } from './engine/tags/custom.ts'

const sortedNames = (...registries: object[]): string[] =>
  [...new Set(registries.flatMap(registry => Object.keys(registry)))].sort()

const tagNames = sortedNames(tags, CUSTOM_TAGS)
const engine = new Engine(() => [])

/** Sample arguments: each block tag accepts at least one of them. */
const ARGUMENTS = ['', 'a', '"a"', 'a in b']

/** Whether a tag has an end tag. liquidjs has no list of such tags, so this function parses a sample to find out. */
const isBlock = (tag: string): boolean =>
  ARGUMENTS.some(args => {
    try {
      engine.parse(`{% ${tag} ${args} %}{% end${tag} %}`, 'a block')
      return true
    } catch {
      return false
    }
  })

/** The tags and filters of the template language, as the engine registers them. */
export const vocabulary = {
  tags: tagNames,
  /** Tags with content and an end tag. */
  blocks: tagNames.filter(isBlock),
  filters: sortedNames(filters, CUSTOM_FILTERS),
}
