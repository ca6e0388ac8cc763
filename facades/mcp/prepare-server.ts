import type { AnyTRPCRouter } from '@trpc/server'
import { toolsIn } from '../operations/list.ts'
import type { ToolServer } from './servers.ts'
import { type StudioContent, siteGuide } from './studio-content.ts'
import { type Tool, toolsOf } from './tools.ts'

/** The parts of a tool server that are the same for every caller, built once. */
export interface PreparedServer {
  info: { name: string; title: string; version: string }
  instructions: string
  tools: ReadonlyMap<string, Tool>
  /** All tools, in the form that `tools/list` returns. */
  list: ToolList
  /** Returns the tools that a caller with these scopes sees. */
  listFor: (scopes: readonly string[]) => ToolList
  /** Resources and prompts; null for a server that has none. */
  content: StudioContent | null
}

/** The result of `tools/list`, and its `tools` field as JSON. */
export interface ToolList {
  tools: Tool['definition'][]
  text: string
}

export const prepareServer = (router: AnyTRPCRouter, server: ToolServer): PreparedServer => {
  const { api, fixedFields, name, title, instructions, isExtra } = server
  const tools = toolsOf(
    toolsIn(router).filter(tool => tool.meta.api === api.name && server.offers(tool)),
    fixedFields,
    isExtra,
  )
  const list = listOf([...tools.values()])
  const byScopes = new Map<string, ToolList>()
  return {
    info: { name, title, version: api.version },
    instructions,
    tools,
    list,
    listFor: scopes => {
      if (!isExtra) return list
      const key = Object.keys(api.scopes)
        .filter(scope => scopes.includes(scope))
        .join(' ')
      const known = byScopes.get(key) ?? listOf([...tools.values()].filter(tool => isAllowed(tool, scopes)))
      byScopes.set(key, known)
      return known
    },
    content: isExtra ? siteGuide(tools.has('create_upload_link')) : null,
  }
}

const isAllowed = ({ operation: { meta } }: Tool, scopes: readonly string[]) =>
  !meta.scopes?.length ||
  (meta.needsEveryScope
    ? meta.scopes.every(scope => scopes.includes(scope))
    : meta.scopes.some(scope => scopes.includes(scope)))

const listOf = (tools: readonly Tool[]): ToolList => {
  const definitions = tools.map(({ definition }) => definition)
  return { tools: definitions, text: JSON.stringify(definitions) }
}
