import type { Method, Operation } from '../operations/list.ts'

/** The operations of a path by method, with the values of its parameters. */
export interface Match {
  operations: Map<Method, Operation>
  path: Record<string, string>
}

interface Branch {
  fixed: Map<string, Branch>
  parameter?: Branch
  operations: Map<Method, Operation>
}

/**
 * Returns a function that finds operations by path. A trailing slash, an empty segment or a malformed percent-encoding
 * matches nothing.
 *
 * @throws when two operations share method and path
 */
export const matcher = (operations: Operation[]): ((path: string) => Match | null) => {
  const root = newBranch()
  for (const operation of operations) insert(root, operation)
  return path => {
    const segments = decode(path)
    return segments && find(root, segments)
  }
}

const newBranch = (): Branch => ({ fixed: new Map(), operations: new Map() })

const insert = (root: Branch, operation: Operation) => {
  let branch = root
  for (const segment of operation.path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      branch.parameter ??= newBranch()
      branch = branch.parameter
    } else {
      const next = branch.fixed.get(segment) ?? newBranch()
      branch.fixed.set(segment, next)
      branch = next
    }
  }
  if (branch.operations.has(operation.method))
    throw new Error(`${operation.name} shares ${operation.method} ${operation.path} with another operation`)
  branch.operations.set(operation.method, operation)
}

const decode = (path: string): string[] | null => {
  try {
    return path.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

const find = (root: Branch, segments: string[]): Match | null => {
  let branch: Branch | undefined = root
  const values: string[] = []
  for (const segment of segments) {
    const fixed: Branch | undefined = branch.fixed.get(segment)
    if (!fixed) values.push(segment)
    branch = fixed ?? (segment === '' ? undefined : branch.parameter)
    if (!branch) return null
  }
  const [any] = branch.operations.values()
  if (!any) return null
  const path = Object.fromEntries(any.pathParameters.map((name, index) => [name, values[index]!]))
  return { operations: branch.operations, path }
}
