import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../../routers/index.ts'

type Key = inferRouterOutputs<AppRouter>['keys']['list'][number]

/** The state of a program's connection. */
export type Connection =
  | { state: 'waiting' }
  /** The person approved a connected app, which has not called yet. */
  | { state: 'approved'; program: string }
  /** A program sent a wrong secret that begins like the new key, such as an incomplete copy. */
  | { state: 'refused'; hint: string }
  /** The program reached the tool server, but its calls are refused. */
  | { state: 'failing'; program: string; problem: string }
  | { state: 'connected'; program: string; tools: number }

/**
 * For each key, the time at which a program last connected before the dialog opened; null if no program had connected.
 */
export type Baseline = ReadonlyMap<string, string | null>

export const baselineOf = (keys: readonly Key[]): Baseline =>
  new Map(keys.map(({ id, agent }) => [id, agent?.connected_at ?? null]))

/**
 * Returns how far the connection has come since the dialog opened.
 *
 * @param before the state of the keys at that time
 * @param issuedId the key that the dialog created
 */
export const connectionOf = (
  keys: readonly Key[],
  before: Baseline,
  issuedId: string | undefined,
): Connection => {
  const used = keys
    .filter(({ id, agent }) => agent && agent.connected_at !== (before.get(id) ?? null))
    .sort((a, b) => b.agent!.connected_at.localeCompare(a.agent!.connected_at))
  // Prefer the key that this dialog created, then the latest connection.
  const latest = used.find(({ id }) => id === issuedId) ?? used[0]
  if (latest?.agent) {
    const { name, tools, problem } = latest.agent
    const program = name === null ? latest.label : programName(name)
    return problem === null ? { state: 'connected', program, tools } : { state: 'failing', program, problem }
  }
  const approved = keys.find(({ id, client }) => client !== null && !before.has(id))
  if (approved) return { state: 'approved', program: programName(approved.label) }
  const issued = keys.find(({ id }) => id === issuedId)
  return issued?.refused_at ? { state: 'refused', hint: issued.hint } : { state: 'waiting' }
}

/** Names that programs give themselves, and the names that people know them by. */
const KNOWN: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  'claude-ai': 'Claude',
  'anthropic/claudeai': 'Claude',
  'openai-mcp': 'ChatGPT',
  cursor: 'Cursor',
  'cursor-vscode': 'Cursor',
  'visual studio code': 'VS Code',
  'inspector-client': 'MCP Inspector',
  'mcp-inspector': 'MCP Inspector',
}

/** Returns the display name of a program that calls itself `given`. */
export const programName = (given: string): string => KNOWN[given.toLowerCase()] ?? given
