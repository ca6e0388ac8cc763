import type { Prepared } from '../http/prepared.ts'
import type { Description } from './describe.ts'

/** The OpenAPI documents at their addresses. */
export const openApiDocuments = (descriptions: Description[]): Prepared[] =>
  descriptions.map(({ api, document }) => ({
    path: api.documentPath,
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(document),
  }))
