import type { Operation } from '../../facades/operations/list.ts'
import { rules } from '../../routers/api/rules.ts'
import { SPACE_SCOPES } from '../../routers/api/scopes.ts'
import { spaceResources } from '../contract/resources.ts'
import { withoutHistory } from '../support/history.ts'
import type { Person, TestService, TestSpace } from '../support/test-service.ts'
import {
  notFoundFields,
  notFoundSetups,
  type Request,
  type Scenario,
  type Scenarios,
  sharedFailureSetups,
} from './scenario.ts'

/** A scenario in a space of its own. */
interface InSpace extends Scenario {
  space: TestSpace
}

/** The owner of the scenarios' spaces in each service. */
const owners = new WeakMap<TestService, Promise<Person>>()

const ownerIn = (service: TestService): Promise<Person> => {
  const owner = owners.get(service) ?? service.signUp()
  owners.set(service, owner)
  return owner
}

/**
 * Creates a space and a request that succeeds in it.
 *
 * @param example the example request body in the OpenAPI document
 */
const prepare = async (service: TestService, operation: Operation, example: unknown): Promise<InSpace> => {
  const space = await service.createSpace(undefined, await ownerIn(service))
  const path: Record<string, string> = {}
  for (const name of operation.pathParameters)
    path[name] = name === 'subdomain' ? space.subdomain : await spaceResources[name]!.create(space, 'first')
  const request: Request = { path, secret: await space.key(...SPACE_SCOPES), body: example }
  return { service, space, operation, request }
}

const failureSetups: Scenarios<InSpace>['failureSetups'] = {
  ...sharedFailureSetups,
  ...notFoundSetups(spaceResources),
  rate_limited: async ({ service, request }) => {
    const { limit } = service.core.calls
    for (let call = 0; call < limit; call++)
      await service.rest(request.secret).get(`/spaces/${request.path.subdomain}`)
    return {}
  },
  space_mismatch: ({ request: { path } }) => ({ path: { ...path, subdomain: 'elsewhere' } }),
  insufficient_scope: async ({ space, operation }) => ({
    secret: await space.key(SPACE_SCOPES.find(scope => !operation.meta.scopes!.includes(scope))!),
  }),
  // A PUT of a missing record returns data_not_found only if the body contains a version.
  data_not_found: ({ operation, request: { path, body } }) => ({
    path: { ...path, key: 'nowhere' },
    ...('version' in operation.input.shape ? { body: { ...(body as object), version: 1 } } : {}),
  }),
  version_conflict: ({ request }) => ({ body: { ...(request.body as object), version: 99 } }),
  precondition_failed: () => ({ headers: { 'if-match': '"stale"' } }),
  slug_taken: async ({ space: { owner, subdomain }, request }) => {
    await owner.pages.create({ subdomain, html: 'x', slug: (request.body as { slug: string }).slug })
    return {}
  },
  part_name_taken: async ({ space: { owner, subdomain }, request }) => {
    await owner.parts.create({ subdomain, html: 'x', name: (request.body as { name: string }).name })
    return {}
  },
  parts_quota_exceeded: async ({ space: { owner, subdomain }, request }) => {
    const html = 'x'.repeat(rules.part.html_max_length)
    for (const name of ['a', 'b', 'c']) await owner.parts.create({ subdomain, name, html })
    await owner.parts.create({ subdomain, name: 'd', html: html.slice(1) })
    return { body: { ...(request.body as object), html } }
  },
  limit_reached: async ({ service, space: { owner, subdomain }, operation }) => {
    const { creationLimits } = service.core
    const create: Record<string, (n: number) => Promise<unknown>> = {
      pages: n => owner.pages.create({ subdomain, slug: `page-${n}`, html: 'x' }),
      parts: n => owner.parts.create({ subdomain, name: `part-${n}`, html: 'x' }),
      files: n => owner.files.create({ subdomain, name: `${n}.txt`, content: 'x', encoding: 'text' }),
    }
    const kind = operation.name.split('.')[0] as 'pages' | 'parts' | 'files'
    if (!create[kind])
      throw new Error(
        `\`limit_reached\` of \`${operation.name}\`: add how to create one of \`${kind}\` to test/openapi/space-scenarios.ts`,
      )
    const { data } = await owner[kind].list({ subdomain })
    for (let n = data.length; n < creationLimits[kind]; n++) await create[kind](n)
    return {}
  },
  data_quota_exceeded: async ({ space: { owner, subdomain }, request }) => {
    const { data } = await owner.data.list({ subdomain })
    for (let record = data.length; record < rules.data.max_records; record++)
      await owner.data.put({ subdomain, key: `record-${record}`, value: record })
    return { path: { ...request.path, key: 'one-too-many' } }
  },
  storage_quota_exceeded: async ({ service, space: { owner, subdomain } }) => {
    const { id } = await owner.files.create({ subdomain, name: 'large', content: 'x', encoding: 'text' })
    // Change only the stored size of the file; the quota is computed from it.
    await withoutHistory(service.core.database, db =>
      db.updateTable('files').set({ size: rules.file.quota_bytes }).where('id', '=', id).execute(),
    )
    return {}
  },
}

const fields: Scenarios<InSpace>['fields'] = {
  ...notFoundFields(spaceResources),
  version_conflict: 'version',
  slug_taken: 'slug',
  part_name_taken: 'name',
  parts_quota_exceeded: 'html',
  data_quota_exceeded: 'value',
  storage_quota_exceeded: 'content',
}

/** Scenarios of the Space API, each in its own space. */
export const space: Scenarios<InSpace> = { prepare, failureSetups, fields }
