import type { ErrorCode } from '../../routers/core/errors.ts'
import type { SpaceScope } from '../../routers/core/scopes.ts'
import type { ToolHints } from './facts.ts'

/** What the documents say about a tool of `/mcp/studio` that is not an operation of the Space API. */
export interface StudioTool {
  name: string
  /** The key needs one of these scopes; empty if any key will do. */
  scopes: readonly SpaceScope[]
  /** Error codes beyond those of every tool. */
  errors: readonly ErrorCode[]
  hints: ToolHints
  /** Whether `/mcp/readonly` has it. */
  isReadOnly: boolean
  /** A table that it reads and authentication does not. */
  table: string
}

const reading = {
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  isReadOnly: true,
} as const

/** The tools by the path of their procedure in the router; test/access/classification.ts has their arguments. */
export const studioTools: Readonly<Record<string, StudioTool>> = {
  'history.list': { name: 'list_changes', scopes: [], errors: [], table: 'changes', ...reading },
  'studio.checkTemplate': {
    name: 'check_template',
    scopes: ['pages'],
    errors: [],
    table: 'parts',
    ...reading,
  },
  'studio.renderPage': {
    name: 'render_page',
    scopes: ['pages'],
    errors: ['page_not_found'],
    table: 'pages',
    ...reading,
  },
  'studio.search': { name: 'search', scopes: [], errors: [], table: 'pages', ...reading },
}
