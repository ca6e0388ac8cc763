import { codes, type Request, RpcError, refuseCursor } from './rpc.ts'
import type { StudioContent } from './studio-content.ts'

/**
 * Returns the result of a method for resources or prompts; undefined for other methods.
 *
 * @throws RpcError −32602 for a resource or prompt that does not exist, and for an unknown cursor
 */
export const contentResult = (content: StudioContent, request: Request): object | undefined => {
  const { method, params } = request
  switch (method) {
    case 'resources/list':
      refuseCursor(request)
      return { resources: content.resources }
    case 'resources/templates/list':
      refuseCursor(request)
      return { resourceTemplates: [] }
    case 'prompts/list':
      refuseCursor(request)
      return { prompts: content.prompts }
    case 'resources/read': {
      const found = content.read(params.uri)
      if (found) return { contents: [found] }
      throw unknown(
        'resource',
        params.uri,
        content.resources.map(({ uri }) => uri),
      )
    }
    case 'prompts/get': {
      const found = content.prompt(params.name, params.arguments)
      if (found) return found
      throw unknown(
        'prompt',
        params.name,
        content.prompts.map(({ name }) => name),
      )
    }
  }
}

const unknown = (what: string, name: unknown, available: readonly string[]) =>
  new RpcError(
    codes.invalidParams,
    `Unknown ${what} ${JSON.stringify(String(name).slice(0, 100))}. Available: ${available.join(', ')}`,
    // For an unknown resource, the protocol recommends that the error repeats the address.
    { status: 200, ...(what === 'resource' && typeof name === 'string' ? { data: { uri: name } } : {}) },
  )
