import type { ToolServer } from './servers.ts'

/** How to connect a program, in words and in lines to copy. */
export interface Guide {
  program: string
  /** What to do with the lines. */
  how: string
  lines: string
}

/** Stands for the credential in lines to copy. */
const placeholder = ({ api }: ToolServer) => `${api.credential.prefix}…`

const json = (value: unknown) => JSON.stringify(value, null, 2)

/**
 * The lines for each program.
 *
 * @param url of the tool server
 * @param byUrlAlone whether a client gets a credential by itself, so that none has to be in the lines
 */
export const guidesFor = (server: ToolServer, url: string, byUrlAlone: boolean): Guide[] => {
  const { name, api } = server
  const noun = api.credential.noun
  const variable = `SPACE_SITE_${noun.toUpperCase()}`
  const bearer = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } })
  const header = `"Authorization: Bearer ${placeholder(server)}"`
  return byUrlAlone
    ? [
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
          lines: `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --header ${header} --method tools/list`,
        },
      ]
    : [
        {
          program: 'Claude Code',
          how: `Run this with your ${noun} in it.`,
          lines: `claude mcp add --transport http ${name} ${url} \\\n  --header ${header}`,
        },
        {
          program: 'Cursor',
          how: `Put this into ~/.cursor/mcp.json and start Cursor with your ${noun} in the environment as ${variable}.`,
          lines: json({ mcpServers: { [name]: { url, ...bearer(`\${env:${variable}}`) } } }),
        },
        {
          program: 'VS Code',
          how: `Put this into .vscode/mcp.json. VS Code asks for the ${noun} once.`,
          lines: json({
            inputs: [
              {
                type: 'promptString',
                id: `${name}-${noun}`,
                description: placeholder(server),
                password: true,
              },
            ],
            servers: { [name]: { type: 'http', url, ...bearer(`\${input:${name}-${noun}}`) } },
          }),
        },
        {
          program: 'MCP Inspector',
          how: `Run this with your ${noun} in it to list the tools.`,
          lines: `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --header ${header} --method tools/list`,
        },
      ]
}
