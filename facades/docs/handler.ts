import { readFileSync } from 'node:fs'
import type { Router } from 'express'
import type { Markup } from '../../routers/api/html.ts'
import { basePath } from '../http/base-path.ts'
import { type Prepared, prepared } from '../http/prepared.ts'
import type { Description, ServiceInfo } from '../openapi/describe.ts'
import { apiChapters, apiPage } from './api-page.ts'
import { guide, guideChapters } from './guide.ts'
import { type Rendered, renderedDocument } from './markdown.ts'
import { type Chapter, page, pageHeaders } from './page.ts'
import { foundIn } from './search-index.ts'

/** The OpenAPI documents and the reference, all built once. */
export const referenceHandler = (descriptions: Description[], circumstances: ServiceInfo): Router =>
  prepared([...openApiDocuments(descriptions), ...pages(descriptions, circumstances)])

/** A page of the reference, below `/docs`. */
interface Page {
  /** The name in the address; empty for the guide. */
  name: string
  title: string
  description: string
  chapters: Chapter[]
  main: Markup
}

const document = (file: string, change = (text: string) => text) =>
  change(readFileSync(new URL(file, import.meta.url), 'utf8'))

/**
 * The pages of the reference: the guide, which explains every error, one page per API, the client for JavaScript and the
 * changelog. Links between the pages are relative.
 */
const pages = (descriptions: Description[], circumstances: ServiceInfo): Prepared[] => {
  const { apiRoot } = circumstances
  const client = renderedDocument(
    document('../cli/client/CLIENT.md', text => text.replaceAll('https://space.example', apiRoot)),
  )
  const changelog = renderedDocument(document('../../CHANGELOG.md'))
  const all: Page[] = [
    {
      name: '',
      title: 'Guide',
      description: 'How to use the APIs: credentials, conventions, limits and errors.',
      chapters: guideChapters('', descriptions),
      main: guide(descriptions, circumstances, ({ api }) => `docs/${api.name}`),
    },
    ...descriptions.map(description => ({
      name: description.api.name,
      title: description.api.title,
      description: description.api.summary,
      chapters: apiChapters('', description),
      main: apiPage(description, '../docs'),
    })),
    {
      name: 'client',
      description: 'A client of the APIs for JavaScript and TypeScript.',
      ...textPage(client),
    },
    {
      name: 'changelog',
      description: 'What has changed, and what versions promise.',
      ...textPage(changelog),
    },
  ]
  const base = basePath(apiRoot)
  const index = all.flatMap(({ name, main }) => foundIn(`${base}/docs${name && `/${name}`}`, main.text))
  const address = (from: Page, to: Page) =>
    from === to ? '#main' : from.name === '' ? `docs/${to.name}` : to.name || '../docs'
  return all.map(current => ({
    type: 'text/html; charset=utf-8',
    headers: pageHeaders(base),
    path: `/docs${current.name && `/${current.name}`}`,
    text: page({
      base,
      title: current.name === '' ? 'Reference' : `${current.title} · Reference`,
      description: current.description,
      contents: all.map(one => ({
        href: address(current, one),
        title: one.title,
        below: one === current ? one.chapters : [],
      })),
      main: current.main,
      index,
    }),
  }))
}

const textPage = ({ title, chapters, main }: Rendered) => ({
  title,
  chapters: chapters.map(chapter => ({ href: `#${chapter.id}`, title: chapter.title })),
  main,
})

/** The OpenAPI documents at their addresses. */
export const openApiDocuments = (descriptions: Description[]): Prepared[] =>
  descriptions.map(({ api, document }) => ({
    path: api.documentPath,
    type: 'application/json; charset=utf-8',
    text: JSON.stringify(document),
  }))
