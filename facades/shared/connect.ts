import type { Api } from './apis.ts'

/** How to connect a program: instructions and lines to copy. */
export interface Guide {
  program: string
  /** What to do with `lines`. */
  how: string
  lines: string
  /** An alternative, for example a configuration file. */
  alternative?: { how: string; lines: string }
  /** What to do in the program afterwards. */
  next?: string
}

/** What an agent connects to: the tool server's name in the program's settings, and its address. */
export interface Target {
  name: string
  url: string
}

/** Placeholder for the credential in lines to copy. */
const placeholder = ({ credential }: Pick<Api, 'credential'>) => `${credential.prefix}…`

/** Name of the environment variable for a credential. */
export const variableOf = ({ credential }: Api) => `SPACE_SITE_${credential.noun.toUpperCase()}`

const json = (value: unknown) => JSON.stringify(value, null, 2)

const FROM_INTERNET = 'The address must be reachable from the internet over https.'

/** A link with which Cursor adds a server. */
const cursorLink = (name: string, config: object) =>
  `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(btoa(JSON.stringify(config)))}`

/** A link with which VS Code adds a server. */
const vsCodeLink = (config: object) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`

/** Instructions for programs that request a credential themselves, through OAuth. */
export const guidesByUrl = ({ name, url }: Target): Guide[] => [
  {
    program: 'Claude Code',
    how: 'Run this in a terminal.',
    lines: `claude mcp add --transport http ${name} ${url}`,
    next: `Then run claude mcp login ${name}. Or enter /mcp in Claude Code, choose ${name} and Authenticate.`,
  },
  {
    program: 'Claude (web and desktop)',
    how: 'Open Customize (in some versions Settings), then Connectors. Choose “+”, then “Add custom connector”. Enter a name, paste this URL and choose “Add”.',
    lines: url,
    next: `Then choose Connect. The web and desktop apps share their connectors. In Team and Enterprise plans, an owner adds the connector first. ${FROM_INTERNET}`,
  },
  {
    program: 'ChatGPT',
    how: 'On the web, open Settings, then Apps, then Advanced settings, and turn on Developer mode (in a Business, Enterprise or Edu workspace, an admin allows it first). Choose Create app, enter a name, paste this URL and choose OAuth as authentication.',
    lines: url,
    next: `In a chat, choose +, More and Developer mode, then the app. ${FROM_INTERNET}`,
  },
  {
    program: 'Cursor',
    how: 'Open this link in your browser. Cursor asks before it adds the server.',
    lines: cursorLink(name, { url }),
    alternative: {
      how: 'Or add this to ~/.cursor/mcp.json.',
      lines: json({ mcpServers: { [name]: { url } } }),
    },
    next: `Then find ${name} among the MCP servers in Cursor Settings and choose “Connect”. Some versions call it “Needs login”.`,
  },
  {
    program: 'VS Code',
    how: 'Run this in a terminal.',
    lines: `code --add-mcp ${JSON.stringify(JSON.stringify({ name, type: 'http', url }))}`,
    alternative: {
      how: 'Or add this to .vscode/mcp.json.',
      lines: json({ servers: { [name]: { type: 'http', url } } }),
    },
    next: `Then run the command “MCP: List Servers” in VS Code. Choose ${name}, then “Start Server”, and allow it to sign in.`,
  },
  {
    program: 'MCP Inspector',
    how: 'Run this in a terminal. It needs Node.js 22.19 or newer.',
    lines: `npx @modelcontextprotocol/inspector \\\n  --server-url ${url} --transport http`,
    next: 'The Inspector opens a page. Turn on the server there. Then approve the request.',
  },
]

/** How a program that cannot open a browser sends a credential, with the Inspector's command line as an example. */
export const guideForPrograms = ({ credential }: Api, { url }: Target): Guide => ({
  program: `With a ${credential.noun} instead`,
  how: `Programs that cannot open a browser send a ${credential.noun}, as the Inspector does here on the command line.`,
  lines: inspectorLines(url, placeholder({ credential })),
})

const inspectorLines = (url: string, secret: string) =>
  `npx @modelcontextprotocol/inspector --cli ${url} \\\n  --transport http --header "Authorization: Bearer ${secret}" --method tools/list`

/**
 * Instructions for programs that need an existing credential.
 *
 * @param secret the credential. It is inserted into commands and files that stay on the person's own machine. It is
 * never inserted into links, or into files that others may read. If omitted, the instructions contain a placeholder
 */
export const guidesWithCredential = (api: Api, { name, url }: Target, secret?: string): Guide[] => {
  const { noun } = api.credential
  const variable = variableOf(api)
  const credentialText = secret ?? placeholder(api)
  const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } })
  const input = `${name}-${noun}`
  const inputs = [{ type: 'promptString', id: input, description: placeholder(api), password: true }]
  const vsCodeServer = { type: 'http', url, ...bearer(`\${input:${input}}`) }
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
      how: `Open this link in your browser. VS Code asks before it adds the server, and then asks once for the ${noun}, which is not in the link.`,
      lines: vsCodeLink({ name, inputs, ...vsCodeServer }),
      alternative: {
        how: 'Or add this to .vscode/mcp.json.',
        lines: json({ inputs, servers: { [name]: vsCodeServer } }),
      },
    },
    {
      program: 'MCP Inspector',
      how: secret ? 'Run this to list the tools.' : `Run this with your ${noun} filled in to list the tools.`,
      lines: inspectorLines(url, credentialText),
    },
  ]
}
