import type { AnyTRPCRouter } from '@trpc/server'
import { z } from 'zod'
import { accountTagOf, type Profile, tagOf, type Version } from '../../routers/api/precondition.ts'
import type { Meta } from '../../routers/api/trpc.ts'
import { definitionsIn, type Invoke, invokerOf } from './invoke.ts'

/** HTTP methods of the APIs. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A procedure that is a tool or an operation, with its declaration. */
export interface Callable {
  /** Path in the router: `pages.create`. */
  name: string
  type: 'query' | 'mutation'
  meta: Meta
  input: z.ZodObject
  output: z.ZodType
  /** Runs the procedure. */
  invoke: Invoke
}

/** A procedure that is exposed over REST, with its declaration. */
export interface Operation extends Callable {
  method: Method
  /** Path below the base address: `/spaces/{subdomain}/pages`. */
  path: string
  /** Names of the path parameters, in path order. */
  pathParameters: string[]
  /** Names of the query parameters: the fields of a read beyond the path parameters. */
  queryParameters: string[]
  /** Whether the input has fields that are in neither. */
  takesBody: boolean
}

/**
 * Returns the router as a flat list of operations. REST, the OpenAPI documents, the tools and the tests that cover all
 * operations are built from this list.
 *
 * @throws when a declaration contradicts itself, which keeps the process from starting
 */
export const operationsOf = (router: AnyTRPCRouter): Operation[] =>
  callables(router).flatMap(callable => {
    const { name, meta, input } = callable
    if (!meta.openapi) return []
    const { method, path } = meta.openapi as { method: Method; path: string }
    const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]!)
    const further = Object.keys(input.shape).filter(field => !pathParameters.includes(field))
    if (method === 'DELETE' && further.length > 0)
      throw new Error(`${name} has fields that ${method} cannot carry: ${further.join(', ')}`)
    const queryParameters = method === 'GET' ? further : []
    const takesBody = method !== 'GET' && further.length > 0
    return [{ ...callable, method, path, pathParameters, queryParameters, takesBody }]
  })

/** Whether an operation returns an item with a version, and sends that version as an entity tag. */
export const sendsTag = ({ meta, output }: Operation): boolean =>
  meta.answersAccount === true || (output instanceof z.ZodObject && 'updated_at' in output.shape)

/** Returns the entity tag of what an operation returned; undefined if it sends none. */
export const tagOfResult = (operation: Operation, data: unknown): string | undefined => {
  if (!sendsTag(operation)) return undefined
  return operation.meta.answersAccount ? accountTagOf(data as Profile) : tagOf(data as Version<string>)
}

/**
 * Returns a function that returns the path of what an operation has created: the path at which another operation reads
 * it. The result is undefined if no operation does.
 */
export const locator = (operations: readonly Operation[]) => {
  const reads = new Map(
    operations
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) => {
        const [, collection, id] = /^(.+)\/\{(\w+)\}$/.exec(path) ?? []
        return collection === undefined || id === 'subdomain' ? [] : [[collection, path] as const]
      }),
  )
  return (
    { path, meta }: Pick<Operation, 'path' | 'meta'>,
    given: Record<string, string>,
    data: unknown,
  ): string | undefined => {
    if (meta.status !== 201 || !reads.has(path)) return undefined
    return `${pathOf({ path }, given)}/${(data as { id: string }).id}`
  }
}

/** Returns the path of an operation with values for its parameters. */
export const pathOf = ({ path }: Pick<Operation, 'path'>, given: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given[name]!))

/** Returns all tools: first the tools that are also operations, then the other tools. */
export const toolsIn = (router: AnyTRPCRouter): (Operation | Callable)[] => [
  ...operationsOf(router).filter(({ meta }) => meta.tool),
  ...callables(router).filter(({ meta }) => meta.tool && !meta.openapi),
]

const callables = (router: AnyTRPCRouter): Callable[] =>
  definitionsIn(router).flatMap(([name, definition]) => {
    const { meta, type, inputs, output } = definition
    if (!meta?.openapi && !meta?.tool) return []
    const input = inputs[0]
    if (inputs.length !== 1 || !(input instanceof z.ZodObject) || !output || type === 'subscription')
      throw new Error(`${name} needs exactly one object as its input, and an output`)
    return [{ name, type, meta, input, output, invoke: invokerOf(name, definition, input, output) }]
  })

/**
 * Returns the scopes that tools need. If a tool accepts any of several scopes, only the first, which grants the least,
 * counts.
 *
 * @param all scopes of the API, in the order of the result
 */
export const scopesFor = (tools: readonly Callable[], all: readonly string[]): string[] => {
  const needed = new Set<string>(tools.flatMap(({ meta }) => meta.scopes?.slice(0, 1) ?? []))
  return all.filter(scope => needed.has(scope))
}
