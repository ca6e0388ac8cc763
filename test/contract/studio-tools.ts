import type { ErrorCode } from '../../routers/api/errors.ts'
import type { SpaceScope } from '../../routers/api/scopes.ts'
import type { ToolHints } from './facts.ts'

/** What the documentation says about a tool of `/mcp/studio` that is not an operation of the Space API. */
export interface StudioTool {
  name: string
  /** The key needs one of these scopes; empty if any key will do. */
  scopes: readonly SpaceScope[]
  /** Error codes, except those that every tool can return. */
  errors: readonly ErrorCode[]
  hints: ToolHints
  /** Whether `/mcp/readonly` has the tool. */
  isReadOnly: boolean
  /** A table that the tool reads but authentication does not. */
  table: string
}

const reading = {
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  isReadOnly: true,
} as const

const writing = {
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  isReadOnly: false,
} as const

/** The tools, by the path of their procedure in the router. Their arguments are in test/access/classification.ts. */
export const studioTools: Readonly<Record<string, StudioTool>> = {
  'history.list': { name: 'list_changes', scopes: [], errors: [], table: 'changes', ...reading },
  'history.get': {
    name: 'get_change',
    scopes: [],
    errors: ['change_not_found'],
    table: 'changes',
    ...reading,
  },
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
  'history.restore': {
    name: 'restore',
    scopes: [],
    errors: [
      'change_not_found',
      'version_conflict',
      'slug_taken',
      'part_name_taken',
      'parts_quota_exceeded',
      'data_quota_exceeded',
      'storage_quota_exceeded',
      'limit_reached',
    ],
    table: 'changes',
    ...writing,
  },
  'history.undo': {
    name: 'undo',
    scopes: [],
    errors: [
      'space_changed',
      'limit_reached',
      'parts_quota_exceeded',
      'data_quota_exceeded',
      'storage_quota_exceeded',
    ],
    table: 'changes',
    ...writing,
  },
  'edits.page': {
    name: 'edit_page',
    scopes: ['pages'],
    errors: ['page_not_found', 'version_conflict'],
    table: 'pages',
    ...writing,
  },
  'edits.part': {
    name: 'edit_part',
    scopes: ['pages'],
    errors: ['part_not_found', 'version_conflict', 'parts_quota_exceeded'],
    table: 'parts',
    ...writing,
  },
  'edits.data': {
    name: 'edit_data',
    scopes: ['data'],
    errors: ['data_not_found', 'version_conflict', 'data_quota_exceeded'],
    table: 'data_records',
    ...writing,
  },
  'edits.many': {
    name: 'write_many',
    scopes: ['pages', 'data'],
    errors: [
      'version_conflict',
      'data_not_found',
      'slug_taken',
      'part_name_taken',
      'parts_quota_exceeded',
      'data_quota_exceeded',
      'limit_reached',
    ],
    table: 'pages',
    ...writing,
  },
  'files.createFromUrl': {
    name: 'upload_file_from_url',
    scopes: ['files_write'],
    errors: ['storage_quota_exceeded', 'limit_reached'],
    table: 'files',
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    isReadOnly: false,
  },
  'uploadLinks.create': {
    name: 'create_upload_link',
    scopes: ['files_write'],
    errors: [],
    table: 'upload_links',
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    isReadOnly: false,
  },
  'space.update': {
    name: 'update_space',
    scopes: ['pages', 'data', 'files_write'],
    errors: [],
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    isReadOnly: false,
    table: 'changes',
  },
  'visits.get': {
    name: 'get_visits',
    scopes: ['pages'],
    errors: [],
    table: 'visit_days',
    hints: { ...reading.hints, openWorldHint: true },
    isReadOnly: true,
  },
  'studio.search': { name: 'search', scopes: [], errors: [], table: 'pages', ...reading },
  'domains.list': { name: 'list_domains', scopes: [], errors: [], table: 'domains', ...reading },
}
