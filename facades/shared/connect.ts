import type { Api } from './apis.ts'
import { serverNames } from './server-names.ts'

/** How to connect a program: instructions and lines to copy. The dashboard shows them after a credential is created. */
export interface Guide {
  program: string
  /** What to do with the lines. */
  how: string
  lines: string
}

/** Placeholder for the credential in lines to copy. */
const placeholder = ({ credential }: Api) => `${credential.prefix}…`

/** Name of the environment variable for a credential. */
export const variableOf = ({ credential }: Api) => `SPACE_SITE_${credential.noun.toUpperCase()}`

const json = (value: unknown) => JSON.stringify(value, null, 2)

/**
 * Instructions for programs that request a credential themselves, through OAuth.
 *
 * @param url of the tool server
 */
export const guidesByUrl = (api: Api, url: string): Guide[] => {
  const { name } = serverNames[api.name]
  return [
    {
      program: 'Claude Code',
      how: 'Run this, then open /mcp in Claude Code and choose to authenticate.',
      lines: `claude mcp add --transport http ${name} ${url}`,
    },
    {
      program: 'Cursor',
      how: 'Add this to ~/.cursor/mcp.json. Cursor opens a browser when it first connects.',
      lines: json({ mcpServers: { [name]: { url } } }),
    },
    {
      program: 'VS Code',
      how: 'Add this to .vscode/mcp.json and start the server from there.',
      lines: json({ servers: { [name]: { type: 'http', url } } }),
    },
    {
      program: 'MCP Inspector',
      how: 'Run this and connect. The Inspector guides you through the approval.',
      lines: `npx @modelcontextprotocol/inspector \\\n  --server-url ${url} --transport http`,
    },
    {
      program: `With a ${api.credential.noun} instead`,
      how: `Programs that cannot open a browser send a ${api.credential.noun}, as the Inspector does here on the command line.`,
      lines: inspectorLines(url, placeholder(api)),
    },
  ]
}

const inspectorLines = (url: string, secret: string) =>
  `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --header "Authorization: Bearer ${secret}" --method tools/list`

/**
 * Instructions for programs that need an existing credential.
 *
 * @param url of the tool server
 * @param secret inserted into lines for the person's own machine, but never into files that others may read; by default
 * a placeholder
 */
export const guidesWithCredential = (api: Api, url: string, secret?: string): Guide[] => {
  const { name } = serverNames[api.name]
  const { noun } = api.credential
  const variable = variableOf(api)
  const credentialText = secret ?? placeholder(api)
  const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } })
  return [
    {
      program: 'Claude Code',
      how: secret ? 'Run this.' : `Run this with your ${noun} filled in.`,
      lines: `claude mcp add --transport http ${name} ${url} \\\n  --header "Authorization: Bearer ${credentialText}"`,
    },
    {
      program: 'Cursor',
      how: secret
        ? 'Add this to ~/.cursor/mcp.json (your personal file).'
        : `Add this to ~/.cursor/mcp.json and start Cursor with your ${noun} in the environment variable ${variable}.`,
      lines: json({ mcpServers: { [name]: { url, ...bearer(secret ?? `\${env:${variable}}`) } } }),
    },
    {
      program: 'VS Code',
      how: `Add this to .vscode/mcp.json. VS Code asks for the ${noun} once.`,
      lines: json({
        inputs: [
          { type: 'promptString', id: `${name}-${noun}`, description: placeholder(api), password: true },
        ],
        servers: { [name]: { type: 'http', url, ...bearer(`\${input:${name}-${noun}}`) } },
      }),
    },
    {
      program: 'MCP Inspector',
      how: secret ? 'Run this to list the tools.' : `Run this with your ${noun} filled in to list the tools.`,
      lines: inspectorLines(url, credentialText),
    },
  ]
}
