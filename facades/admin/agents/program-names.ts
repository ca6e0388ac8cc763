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
