import type { ToolServer } from '../mcp/servers.ts'
import type { Description, ServiceInfo } from '../openapi/describe.ts'

/** The index for agents, in the form that llmstxt.org describes: a title, a summary, and links with a word on each. */
export const index = (
  descriptions: Description[],
  servers: readonly ToolServer[],
  { apiRoot }: ServiceInfo,
): string => `# Space Site

> Websites made of Liquid pages, parts, JSON data and files, and posts by the people who make them: over REST below ${apiRoot}/v1, and as tools over the Model Context Protocol.

Every call needs a credential, sent as \`Authorization: Bearer …\`. A person issues it in the screen at ${apiRoot}/admin. Ask first what yours may do: ${descriptions.map(({ operations, api }) => `\`GET ${operations[0]!.path}\` with a ${api.credential.noun}`).join(', ')}.

## Reference

- [Guide](${apiRoot}/docs.md): credentials, conventions and every error
${descriptions.map(({ api }) => `- [${api.title}](${apiRoot}/docs/${api.name}.md): ${api.summary}`).join('\n')}

## Tools

${servers.map(({ path, title, purpose }) => `- [${title}](${apiRoot}${path}): ${purpose}`).join('\n')}

## Optional

${descriptions.map(({ api }) => `- [${api.title} as OpenAPI 3.1](${apiRoot}${api.documentPath}): for programs`).join('\n')}
`
