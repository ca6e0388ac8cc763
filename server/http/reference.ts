import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RequestHandler, Router } from 'express'
import type { Description } from '../../facades/openapi/describe.ts'
import { apis } from '../../facades/shared/apis.ts'
import type { Core } from '../../routers/api/context.ts'
import { appRouter } from '../../routers/index.ts'

/** The API reference and the OpenAPI documents. They are built when they are first needed. */
export interface Reference {
  handler: RequestHandler
  /** Builds the reference and the documents before the first request. */
  prepare: () => Promise<unknown>
}

const isReference = (path: string) =>
  /^\/docs(?:$|[/.])|^\/llms\.txt$/.test(path) || apis.some(({ documentPath }) => documentPath === path)

/**
 * Building the documents takes a third of a second. Startup does not wait for that, and other requests wait only for one
 * step of it.
 */
export const referenceFor = (core: Core): Reference => {
  let building: Promise<RequestHandler> | undefined
  const prepare = () => {
    building ??= build(core)
    return building
  }
  return {
    prepare,
    handler: (req, res, next) => {
      if (!isReference(req.path)) return next()
      prepare().then(handler => handler(req, res, next), next)
    },
  }
}

const build = async ({ addresses, calls, creationLimits, contact }: Core): Promise<RequestHandler> => {
  const [{ describe }, { referenceHandler }, { agentReferenceHandler }] = await Promise.all([
    import('../../facades/openapi/describe.ts'),
    import('../../facades/docs/handler.ts'),
    import('../../facades/llms/handler.ts'),
  ])
  const { apiRoot, docsUrl } = addresses
  const circumstances = { apiRoot, docsUrl, callsPerMinute: calls.limit, creationLimits, contact }
  const descriptions: Description[] = []
  for (const api of apis) {
    descriptions.push(describe(appRouter, api, circumstances))
    // Lets other requests run between the steps.
    await nextTurn()
  }
  const reference = referenceHandler(descriptions, circumstances)
  await nextTurn()
  return Router({ caseSensitive: true, strict: true }).use(
    reference,
    agentReferenceHandler(descriptions, circumstances),
  )
}
