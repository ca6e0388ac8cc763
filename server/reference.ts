import { type RequestHandler, Router } from 'express'
import { apis } from '../facades/shared/apis.ts'
import type { Core } from '../routers/core/context.ts'
import { appRouter } from '../routers/index.ts'

/** The reference and the OpenAPI documents, which are built when they are first needed. */
export interface Reference {
  handler: RequestHandler
  /** Builds the reference and the documents before the first request. */
  prepare: () => Promise<unknown>
}

const isReference = (path: string) =>
  /^\/docs(?:$|[/.])|^\/llms\.txt$/.test(path) || apis.some(({ documentPath }) => documentPath === path)

/** Building the documents takes a third of a second. Neither startup nor other requests should wait for that. */
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

const build = async ({ addresses, calls, creationLimits }: Core): Promise<RequestHandler> => {
  const [{ describe }, { referenceHandler }, { agentReferenceHandler }] = await Promise.all([
    import('../facades/openapi/describe.ts'),
    import('../facades/docs/handler.ts'),
    import('../facades/llms/handler.ts'),
  ])
  const { apiRoot, docsUrl } = addresses
  const circumstances = { apiRoot, docsUrl, callsPerMinute: calls.limit, creationLimits }
  const descriptions = apis.map(api => describe(appRouter, api, circumstances))
  return Router({ caseSensitive: true, strict: true }).use(
    referenceHandler(descriptions, circumstances),
    agentReferenceHandler(descriptions, circumstances),
  )
}
