import type { AnyTRPCRouter } from '@trpc/server'
import { operationsOf } from '../operations/list.ts'
import type { ToolServer } from './servers.ts'
import { type Tool, toolsOf } from './tools.ts'

/** A tool server with all that is the same for every caller, made once. */
export interface PreparedServer {
  info: { name: string; title: string; version: string }
  instructions: string
  tools: ReadonlyMap<string, Tool>
  /** The answer to `tools/list`, and the text of its one field. */
  list: { tools: Tool['definition'][] }
  listText: string
}

export const prepareServer = (router: AnyTRPCRouter, server: ToolServer): PreparedServer => {
  const { api, settled, name, title, instructions } = server
  const tools = toolsOf(
    operationsOf(router).filter(({ meta }) => meta.api === api.name),
    settled,
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
