import type { AnyTRPCRouter } from '@trpc/server'
import { operationsOf } from '../operations/list.ts'
import type { ToolServer } from './servers.ts'
import { type Tool, toolsOf } from './tools.ts'

/** The parts of a tool server that are the same for every caller, built once. */
export interface PreparedServer {
  info: { name: string; title: string; version: string }
  instructions: string
  tools: ReadonlyMap<string, Tool>
  /** The result of `tools/list`, and its `tools` field as JSON. */
  list: { tools: Tool['definition'][] }
  listText: string
}

export const prepareServer = (router: AnyTRPCRouter, server: ToolServer): PreparedServer => {
  const { api, fixedFields, name, title, instructions } = server
  const tools = toolsOf(
    operationsOf(router).filter(({ meta }) => meta.api === api.name),
    fixedFields,
  )
  const list = { tools: [...tools.values()].map(({ definition }) => definition) }
  return {
    info: { name, title, version: api.version },
    instructions,
    tools,
    list,
    listText: JSON.stringify(list.tools),
  }
}
