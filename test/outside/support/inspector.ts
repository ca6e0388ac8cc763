import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** The result of running the MCP Inspector's command line. */
export interface InspectorRun {
  /** The exit code: 3 if the server requires a new approval. */
  code: number
  output: string
  errorOutput: string
  /** Whether the Inspector asked for approval and `approve` was called. */
  wasApproved: boolean
}

/**
 * Runs `get_space` in the MCP Inspector, which knows only the URL of the server.
 *
 * @param server the URL of the tool server
 * @param era the protocol era: `legacy` or `modern`
 * @param folder the folder of the Inspector's registrations and secrets; each era has its own files there
 * @param more additional arguments for the Inspector
 * @param approve a function that approves the request and opens the redirect target. Its argument is the address that
 * the Inspector wants to open in a browser.
 */
export const getSpace = async (
  server: string,
  era: string,
  folder: string,
  more: string[],
  approve?: (address: URL) => Promise<unknown>,
): Promise<InspectorRun> => {
  const args = ['--cli', '--server-url', server, '--transport', 'http', '--protocol-era', era, ...more]
  const child = spawn(
    'node_modules/.bin/mcp-inspector',
    [...args, '--method', 'tools/call', '--tool-name', 'get_space'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        HOME: folder,
        MCP_INSPECTOR_OAUTH_STATE_PATH: path.join(folder, `${era}.json`),
        // Keep secrets in a file, because the default is the keychain of the operating system, or memory.
        MCP_INSPECTOR_SECRET_STORE: 'file',
        MCP_INSPECTOR_SECRET_FILE: path.join(folder, `${era}-secrets.json`),
        // Without a terminal, the Inspector asks for approval only if it can open a browser. The command `true` stands
        // in for the browser.
        MCP_AUTO_OPEN_ENABLED: 'true',
        BROWSER: 'true',
      },
    },
  )
  let [output, errorOutput] = ['', '']
  let approval: Promise<unknown> | undefined
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    errorOutput += text.toString()
    const address = /Please navigate to: (\S+)\s/.exec(errorOutput)?.[1]
    if (address && approve) approval ??= approve(new URL(address))
  })
  const [code] = (await once(child, 'close')) as [number]
  await approval
  return { code, output, errorOutput, wasApproved: approval !== undefined }
}
