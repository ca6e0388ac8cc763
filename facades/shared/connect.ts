import type { Api } from './apis.ts'
import { serverNames } from './server-names.ts'

/** How to connect a program, in words and in lines to copy. The screen shows them too, where a secret has just been issued. */
export interface Guide {
  program: string
  /** What to do with the lines. */
  how: string
  lines: string
}

/** Stands for the credential in lines to copy. */
const placeholder = ({ credential }: Api) => `${credential.prefix}…`

/** The environment variable that programs keep a credential in. */
export const variableOf = ({ credential }: Api) => `SPACE_SITE_${credential.noun.toUpperCase()}`

const json = (value: unknown) => JSON.stringify(value, null, 2)

/**
 * The lines for programs that get a credential by themselves.
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
      how: 'Put this into ~/.cursor/mcp.json. Cursor opens a browser when it first connects.',
      lines: json({ mcpServers: { [name]: { url } } }),
    },
    {
      program: 'VS Code',
      how: 'Put this into .vscode/mcp.json and start the server from there.',
      lines: json({ servers: { [name]: { type: 'http', url } } }),
    },
    {
      program: 'MCP Inspector',
      how: 'Run this and connect; it leads through the approval.',
      lines: `npx @modelcontextprotocol/inspector \\\n  --server-url ${url} --transport http`,
    },
    {
      program: 'With a token instead',
      how: 'Programs that cannot open a browser send a token of yours, here the Inspector on a command line.',
      lines: inspectorLines(url, placeholder(api)),
    },
  ]
}

const inspectorLines = (url: string, secret: string) =>
  `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --header "Authorization: Bearer ${secret}" --method tools/list`

/**
 * The lines for programs that are given a credential.
 *
 * @param url of the tool server
 * @param secret stands in the lines where they are for one person's own files; a placeholder does unless it is given
 */
export const guidesWithCredential = (api: Api, url: string, secret?: string): Guide[] => {
  const { name } = serverNames[api.name]
  const { noun } = api.credential
  const variable = variableOf(api)
  const shown = secret ?? placeholder(api)
  const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } })
  return [
    {
      program: 'Claude Code',
      how: secret ? 'Run this.' : `Run this with your ${noun} in it.`,
      lines: `claude mcp add --transport http ${name} ${url} \\\n  --header "Authorization: Bearer ${shown}"`,
    },
    {
      program: 'Cursor',
      how: secret
        ? 'Put this into ~/.cursor/mcp.json, which is yours alone.'
        : `Put this into ~/.cursor/mcp.json and start Cursor with your ${noun} in the environment as ${variable}.`,
      lines: json({ mcpServers: { [name]: { url, ...bearer(secret ?? `\${env:${variable}}`) } } }),
    },
    {
      program: 'VS Code',
      how: `Put this into .vscode/mcp.json. VS Code asks for the ${noun} once.`,
      lines: json({
        inputs: [
          { type: 'promptString', id: `${name}-${noun}`, description: placeholder(api), password: true },
        ],
        servers: { [name]: { type: 'http', url, ...bearer(`\${input:${name}-${noun}}`) } },
      }),
    },
    {
      program: 'MCP Inspector',
      how: secret ? 'Run this to list the tools.' : `Run this with your ${noun} in it to list the tools.`,
      lines: inspectorLines(url, shown),
    },
  ]
}
