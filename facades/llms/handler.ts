import type { Router } from 'express'
import { prepared } from '../http/prepared.ts'
import { type ToolServer, toolServers } from '../mcp/servers.ts'
import type { Description, ServiceInfo } from '../openapi/describe.ts'
import { apiMarkdown } from './api.ts'
import { guideMarkdown } from './guide.ts'

/** The index for agents, in the format of llmstxt.org: a title, a summary, and links with a note on each. */
export const index = (
  descriptions: Description[],
  servers: readonly ToolServer[],
  { apiRoot }: ServiceInfo,
): string => `# Space Site

> Build websites from Liquid pages, parts, JSON data and files, and publish posts: over REST at ${apiRoot}/v1, or as tools over the Model Context Protocol.

Every call needs a credential, sent as \`Authorization: Bearer …\`. A person creates it in the dashboard at ${apiRoot}/admin. First check what yours allows: ${descriptions.map(({ operations, api }) => `\`GET ${operations[0]!.path}\` with a ${api.credential.noun}`).join(', ')}.

## Reference

- [Guide](${apiRoot}/docs.md): credentials, building a site (also how templates print dates by time zone and language, prices, and data in scripts), conventions and every error
${descriptions.map(({ api }) => `- [${api.title}](${apiRoot}/docs/${api.name}.md): ${api.summary}`).join('\n')}

## Tools

${servers.map(({ path, title, purpose }) => `- [${title}](${apiRoot}${path}): ${purpose}`).join('\n')}

## Optional

${descriptions.map(({ api }) => `- [${api.title} as OpenAPI 3.1](${apiRoot}${api.documentPath}): for programs`).join('\n')}
`

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
