import type { AnyTRPCRouter } from '@trpc/server'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import type { Meta } from '../../routers/core/trpc.ts'
import { type Operation, operationsOf } from '../operations.ts'
import type { Api } from './apis.ts'
import { complete } from './complete.ts'
import { conventions } from './conventions.ts'
import type { ApiDocument, Schema } from './document.ts'
import { codesOf, WITHOUT_OPERATION } from './failures.ts'
import { problemSchemas } from './problem-schema.ts'
import { examples, headers, sharedFailures } from './responses.ts'
import { bullets } from './words.ts'

/** What a description needs to know of the service as it runs. */
export interface Circumstances {
  apiRoot: string
  docsUrl: string
  /** The call limit that is enforced. */
  callsPerMinute: number
}

/** An API with everything that its document and its reference are made of. */
export interface Description {
  api: Api
  operations: Operation[]
  document: ApiDocument
}

/**
 * Describes an API. Paths, parameters and schemas come from trpc-to-openapi; what it cannot say (success statuses,
 * failures, headers, scopes, closed bodies, examples) is completed from the same declarations. Its own responses
 * for failures are dropped whole, because they are shared by all documents of the process.
 */
export const describe = (router: AnyTRPCRouter, api: Api, circumstances: Circumstances): Description => {
  const { apiRoot, docsUrl, callsPerMinute } = circumstances
  const { scheme, prefix } = api.credential
  const operations = operationsOf(router).filter(({ meta }) => meta.api === api.name)
  const generated = generateOpenApiDocument(router, {
    title: api.title,
    version: api.version,
    openApiVersion: '3.1.0',
    baseUrl: `${apiRoot}/v1`,
    filter: ({ metadata }) => (metadata as Meta).api === api.name,
  }) as unknown as ApiDocument

  const codes = [...new Set(operations.flatMap(codesOf))]
  const document: ApiDocument = {
    openapi: generated.openapi,
    info: {
      title: api.title,
      version: api.version,
      summary: api.summary,
      description: introduction(api, callsPerMinute),
      contact: { name: 'Whoever runs this service', url: `${docsUrl}#help` },
      license: { name: 'Terms of this service', url: `${docsUrl}#terms` },
    },
    servers: [{ url: `${apiRoot}/v1`, description: 'This service' }],
    externalDocs: { url: docsUrl, description: 'The reference for people' },
    tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
    paths: {},
    components: {
      schemas: { ...ownSchemas(generated), ...problemSchemas([...codes, ...WITHOUT_OPERATION]) },
      responses: sharedFailures(operations),
      headers: headers(callsPerMinute),
      examples: examples(codes, docsUrl),
      securitySchemes: {
        [scheme]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${prefix}…`,
          description: credentialWords(api),
        },
      },
    },
  }
  for (const operation of operations) {
    const method = operation.method.toLowerCase()
    const draft = generated.paths[operation.path]![method]!
    document.paths[operation.path] = {
      ...document.paths[operation.path],
      [method]: complete(operation, draft, { api, document, docsUrl }),
    }
  }
  return { api, operations, document }
}

const introduction = (api: Api, callsPerMinute: number) =>
  [api.summary, bullets(conventions(callsPerMinute).map(({ title, text }) => `**${title}.** ${text}`))].join(
    '\n\n',
  )

const credentialWords = ({ credential, scopes }: Api) =>
  [
    `Send \`Authorization: Bearer <${credential.noun}>\`; each ${credential.noun} begins with \`${credential.prefix}\`. ${credential.origin}`,
    'Scopes:',
    bullets(Object.entries(scopes).map(([scope, words]) => `\`${scope}\`: ${words}`)),
  ].join('\n\n')

/** The schemas of our own, without bounds that say no more than that an answer's integer is exact. */
const ownSchemas = ({ components }: ApiDocument): Record<string, Schema> => {
  const own = Object.entries(components.schemas).filter(([name]) => !name.startsWith('error.'))
  return JSON.parse(JSON.stringify(Object.fromEntries(own)), (key, value: unknown) =>
    isSafeBound(key, value) ? undefined : value,
  ) as Record<string, Schema>
}

const isSafeBound = (key: string, value: unknown) =>
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
