import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { ToolClient, ToolResult } from './tool-client.ts'

type Schema = { description?: string; properties?: Record<string, Schema>; items?: Schema }

/** A tool, as an agent sees it. */
interface KnownTool {
  name: string
  text: string
  inputSchema: Schema
  allows: ValidateFunction
}

/**
 * An agent without prior knowledge. It finds tools, arguments and idioms by what the server says about them, so a
 * test fails if the server no longer says what an agent needs to know.
 */
export interface ScriptedAgent {
  /** Number of tool calls so far. */
  calls: () => number
  /** Returns what a pattern captures in the instructions. */
  learn: (pattern: RegExp) => string
  /**
   * Calls a tool.
   *
   * @param tool matches the tool's `name: title. description`
   * @param args pairs of a pattern and a value. The pattern matches the description of the argument that gets the
   * value. To pass a list of objects, use {@link Items} as the value
   */
  use: (tool: RegExp, ...args: Named[]) => Promise<ToolResult>
}

/** An argument: a pattern that matches its description, and its value. */
export type Named = readonly [RegExp, unknown]

/** A list of objects, each with its own arguments. */
export class Items {
  readonly items: readonly (readonly Named[])[]
  constructor(...items: (readonly Named[])[]) {
    this.items = items
  }
}

/** Connects an agent, which reads the instructions and the definitions of the tools. */
export const connectAgent = async (client: ToolClient): Promise<ScriptedAgent> => {
  const { instructions } = (await client.send<{ instructions: string }>('server/discover')).result
  const ajv = formats.default(new Ajv2020({ strict: false }))
  const tools: KnownTool[] = (await client.tools()).map(({ name, title, description, inputSchema }) => ({
    name,
    text: `${name}: ${title}. ${description}`,
    inputSchema: inputSchema as Schema,
    allows: ajv.compile(inputSchema),
  }))
  let count = 0
  return {
    calls: () => count,
    learn: pattern => {
      const found = pattern.exec(instructions)?.[1]
      if (found === undefined) throw new Error(`The instructions do not say ${String(pattern)}`)
      return found
    },
    use: async (wanted, ...args) => {
      const tool = only(tools, ({ text }) => wanted.test(text), wanted)
      const given = argumentsOf(tool.inputSchema, args)
      if (!tool.allows(given)) throw new Error(`${tool.name}: ${ajv.errorsText(tool.allows.errors)}`)
      count += 1
      return client.call(tool.name, given)
    },
  }
}

/** Returns the values by argument name. Finds the name of each argument by its description in the schema. */
const argumentsOf = ({ properties = {} }: Schema, args: readonly Named[]): Record<string, unknown> =>
  Object.fromEntries(
    args.map(([pattern, value]) => {
      const [name, schema] = only(
        Object.entries(properties),
        ([, { description = '' }]) => pattern.test(description),
        pattern,
      )
      return [
        name,
        value instanceof Items ? value.items.map(item => argumentsOf(schema.items ?? {}, item)) : value,
      ]
    }),
  )

const only = <T>(all: readonly T[], matches: (one: T) => boolean, pattern: RegExp): T => {
  const [found, ...others] = all.filter(matches)
  if (found === undefined || others.length > 0)
    throw new Error(`${others.length + (found ? 1 : 0)} descriptions match ${String(pattern)}`)
  return found
}
