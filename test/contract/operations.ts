import { type Operation, operationsOf } from '../../facades/operations/list.ts'
import { appRouter } from '../../routers/index.ts'
import { type Facts, facts } from './facts.ts'
import { type PathValues, type Resource, spaceResources, tablesOfTools, userResources } from './resources.ts'

/** A declared operation, with what the contract says about it. */
export interface Row {
  /** Method and path, for test titles. */
  title: string
  operation: Operation
  facts: Facts
}

export const operations: Operation[] = operationsOf(appRouter)

/** Returns the path parameters that name a resource of a space or an account. */
export const resourcesOf = ({ meta, pathParameters }: Operation) => {
  const resources: Readonly<Record<string, Pick<Resource<never>, 'missing' | 'notFound'>>> =
    meta.api === 'space' ? spaceResources : userResources
  return pathParameters
    .filter(parameter => parameter !== 'subdomain')
    .map(parameter => ({ parameter, resource: resources[parameter] }))
}

/** Returns a table that the operation's tool reads but authentication does not; null if there is none. */
export const tableOf = (operation: Operation): string | null => tablesOfTools[routerOf(operation)] ?? null

/** The name of the router that declares the operation. */
const routerOf = ({ name }: Operation): string => name.split('.')[0]!

/**
 * Returns a message for each entry that `test/contract` lacks for this operation. The message names the entry and the
 * file to change. Tests can call the operation only if the list is empty.
 */
export const gapsOf = (operation: Operation): string[] => {
  const { name, takesBody, meta } = operation
  const known = facts[name]
  const unknown = resourcesOf(operation).filter(({ resource }) => resource === undefined)
  return [
    ...(known
      ? []
      : [
          `\`${name}\` has no entry in test/contract/facts.ts; add its route, scopes, status, error codes, tool name and a sample body`,
        ]),
    ...(known && takesBody && !known.body
      ? [`\`${name}\` takes a body; add a sample \`body\` to its entry in test/contract/facts.ts`]
      : []),
    ...unknown.map(
      ({ parameter }) =>
        `\`{${parameter}}\` in the path of \`${name}\` has no entry in test/contract/resources.ts; add how to create one`,
    ),
    ...(meta.tool && !(routerOf(operation) in tablesOfTools)
      ? [
          `\`${routerOf(operation)}\`, the router of \`${name}\`, has no entry in \`tablesOfTools\` in test/contract/resources.ts; add the table that its tools need`,
        ]
      : []),
  ]
}

/** Whether the tests can call this operation. If not, `complete.test.ts` fails. */
export const isCallable = (operation: Operation): boolean => gapsOf(operation).length === 0

const rowsOf = (api: 'space' | 'user'): Row[] =>
  operations
    .filter(operation => operation.meta.api === api && isCallable(operation))
    .map(operation => ({
      title: `${operation.method} ${operation.path}`,
      operation,
      facts: facts[operation.name]!,
    }))

/** The operations of the Space API. */
export const spaceOperations = rowsOf('space')

/** The operations of the User API. */
export const userOperations = rowsOf('user')

/**
 * Returns one row for each operation and each resource that the operation's path names. Leaves out the operations that
 * create the resource if it does not exist.
 */
export const onOneResource = (rows: Row[]) =>
  rows
    .filter(({ facts }) => !facts.isUpsert)
    .flatMap(row =>
      resourcesOf(row.operation).map(({ parameter, resource }) => ({
        ...row,
        parameter,
        resource: resource!,
      })),
    )

/** Returns path values that name no resource: unknown, malformed, or similar to an existing id. */
export const unknownIds = (existing: string): string[] => [
  'x',
  '0'.repeat(16),
  'A'.repeat(16),
  `${existing}a`,
  `%20${existing}`,
  '%00',
  'a%2Fb',
  '..%2f..',
  '%F0%9F%8C%B1',
  "'%20or%201=1",
  'x'.repeat(5000),
]

/** Returns the tool names of the given operations. A tool server lists the tools in the same order. */
export const toolsOf = (rows: Row[]): string[] => rows.flatMap(({ facts }) => facts.tool ?? [])

export const withBody = (rows: Row[]): Row[] => rows.filter(({ operation }) => operation.takesBody)
export const withoutBody = (rows: Row[]): Row[] => rows.filter(({ operation }) => !operation.takesBody)

/** Returns a body that the operation accepts; an empty one if it takes none. */
export const bodyOf = ({ facts }: Row): Record<string, unknown> => facts.body?.() ?? {}

/** Returns the maximum size of the operation's body in bytes. */
export const bodyLimitOf = ({ facts }: Row): number => facts.bodyLimit ?? 1_048_576

/** Returns the operation's path with its parameters filled in. */
export const pathOf = ({ operation: { path } }: Pick<Row, 'operation'>, values: PathValues): string =>
  `/v1${path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}`
