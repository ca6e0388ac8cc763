import type { Outputs } from '../api.ts'

/** The names that a template of a space can use: tags, filters, and the space's data, parts, pages and files. */
export type Vocabulary = Outputs['templates']['vocabulary']
