import type { Router } from 'express'
import { prepared } from '../http/prepared.ts'
import { toolServers } from '../mcp/servers.ts'
import type { Description, ServiceInfo } from '../openapi/describe.ts'
import { apiMarkdown } from './api.ts'
import { guideMarkdown } from './guide.ts'
import { index } from './index-file.ts'

/** The reference for agents: an index at `/llms.txt`, and each page of the reference as Markdown. */
export const agentReferenceHandler = (descriptions: Description[], circumstances: ServiceInfo): Router => {
  const markdown = (path: string, text: string) => ({ path, text, type: 'text/markdown; charset=utf-8' })
  return prepared([
    {
      path: '/llms.txt',
      type: 'text/plain; charset=utf-8',
      text: index(descriptions, toolServers, circumstances),
    },
    markdown('/docs.md', guideMarkdown(descriptions, circumstances)),
    ...descriptions.map(description =>
      markdown(`/docs/${description.api.name}.md`, apiMarkdown(description)),
    ),
  ])
}
