import type { Router } from 'express'
import { basePath } from '../http/base-path.ts'
import { type Prepared, prepared } from '../http/prepared.ts'
import type { Description, ServiceInfo } from '../openapi/describe.ts'
import { apiChapters, apiPage } from './api-page.ts'
import { guide, guideChapters } from './guide.ts'
import { type Chapter, page, pageHeaders } from './page.ts'

/** The OpenAPI documents and the reference, all built once. */
export const referenceHandler = (descriptions: Description[], circumstances: ServiceInfo): Router =>
  prepared([...openApiDocuments(descriptions), ...pages(descriptions, circumstances)])

/**
 * The pages of the reference: the guide, which explains every error, at `/docs`, and one page per API below `/docs`.
 * Links between the pages are relative.
 */
const pages = (descriptions: Description[], circumstances: ServiceInfo): Prepared[] => {
  const below = ({ api }: Description) => api.name
  /** Returns the table of contents of the reference, with the chapters of the current page. */
  const contents = (current: Description | null): Chapter[] => {
    const guideAt = current ? '../docs' : ''
    return [
      { href: guideAt || '#main', title: 'Guide', below: current ? [] : guideChapters('', descriptions) },
      ...descriptions.map(description => ({
        href: current
          ? current === description
            ? '#main'
            : below(description)
          : `docs/${below(description)}`,
        title: description.api.title,
        below: current === description ? apiChapters('', description) : [],
      })),
    ]
  }
  const base = basePath(circumstances.apiRoot)
  const common = { type: 'text/html; charset=utf-8', headers: pageHeaders(base) }
  return [
    {
      ...common,
      path: '/docs',
      text: page({
        base,
        title: 'Reference',
        description: 'How to use the APIs: credentials, conventions, limits and errors.',
        contents: contents(null),
        main: guide(descriptions, circumstances, description => `docs/${below(description)}`),
      }),
    },
    ...descriptions.map(description => ({
      ...common,
      path: `/docs/${below(description)}`,
      text: page({
        base,
        title: `${description.api.title} · Reference`,
        description: description.api.summary,
        contents: contents(description),
        main: apiPage(description, '../docs'),
      }),
    })),
  ]
}

/** The OpenAPI documents at their addresses. */
export const openApiDocuments = (descriptions: Description[]): Prepared[] =>
  descriptions.map(({ api, document }) => ({
    path: api.documentPath,
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(document),
  }))
