import type { Outputs } from '../api.ts'

/** What templates of a space can name: the language's own words, and what is in the space. */
export type Vocabulary = Outputs['templates']['vocabulary']
