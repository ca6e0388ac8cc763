import express from 'express'
import { z } from 'zod'
import { bodyReaders } from '../../../facades/http/body.ts'
import { BodyBudget } from '../../../facades/http/body-budget.ts'
import { toolServerHandler } from '../../../facades/mcp/handler.ts'
import { toolServers } from '../../../facades/mcp/servers.ts'
import { subdomain } from '../../../routers/api/fields.ts'
import { bearer, Identities } from '../../../routers/api/identities.ts'
import { invalid } from '../../../routers/api/problem.ts'
import { procedure, router } from '../../../routers/api/trpc.ts'
import type { TestService } from '../../support/test-service.ts'

const operation = (name: string, path: `/${string}`) =>
  procedure
    .meta({
      api: 'space',
      openapi: { method: 'GET', path, summary: name },
      tool: { name, description: 'For the official suite.' },
    })
    .input(z.strictObject({ subdomain }))
    .output(z.object({ text: z.string() }))

/** Two operations that the official suite expects as tools: one that succeeds and one that fails. */
const suite = router({
  text: operation('test_simple_text', '/{subdomain}/text').query(() => ({ text: 'A simple text' })),
  failure: operation('test_error_handling', '/{subdomain}/failure').query(() => {
    throw invalid('$', 'is never right')
  }),
})

/** The handler of `/mcp` with these operations. */
export const conformanceTools = ({ core }: TestService, apiRoot: string) => {
  const identities = new Identities(core.database)
  return express().use(
    toolServerHandler(toolServers[0]!, {
      router: suite,
      readJson: bodyReaders(new BodyBudget(2 ** 26)).readJson,
      apiRoot,
      docsUrl: core.addresses.docsUrl,
      challenge: { resourceMetadata: `${apiRoot}/metadata`, scopes: [] },
      identify: authorization => identities.identify('space_key', bearer(authorization), () => true),
      onUse: () => {},
      onRefused: () => {},
      contextFor: actor => ({ core, actor }),
      onFault: error => {
        throw error
      },
      referenceOf: () => 'none',
    }).pages,
  )
}
