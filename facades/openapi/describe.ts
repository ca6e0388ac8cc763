import type { AnyTRPCRouter } from '@trpc/server'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import type { CreationLimits } from '../../routers/api/rules.ts'
import type { Meta } from '../../routers/api/trpc.ts'
import { type Callable, type Operation, operationsOf, toolsIn } from '../operations/list.ts'
import type { Api } from '../shared/apis.ts'
import { completeOperation } from './complete-operation.ts'
import { conventions } from './conventions.ts'
import type { ApiDocument, DocumentedOperation, Schema } from './document.ts'
import { errorCodesOf, ROUTING_ERRORS } from './error-codes.ts'
import { bullets } from './format.ts'
import { problemSchemas } from './problem-schema.ts'
import { examples, headers, sharedFailures } from './responses.ts'

/** Settings of the running service that the descriptions mention. */
export interface ServiceInfo {
  apiRoot: string
  docsUrl: string
  /** The call limit in force. */
  callsPerMinute: number
  creationLimits: CreationLimits
  /** Where people reach the operator: an e-mail address or a web address. */
  contact?: string | undefined
}

/** Whether a contact is an e-mail address, not a web address. */
export const isMail = (contact: string): boolean => !/^https?:/.test(contact)

/** An API with the data that its OpenAPI document and its reference are built from. */
export interface Description {
  api: Api
  operations: Operation[]
  /** Tools that are not operations. */
  furtherTools: Callable[]
  document: ApiDocument
}

/** An operation and its OpenAPI description. */
export interface Entry {
  operation: Operation
  documented: DocumentedOperation
}

/** The operations of an API in the order of its tags. */
export const entriesOf = ({ api, operations, document }: Description): { tag: string; entries: Entry[] }[] =>
  Object.keys(api.tags).map(tag => ({
    tag,
    entries: operations
      .map(operation => ({
        operation,
        documented: document.paths[operation.path]![operation.method.toLowerCase()]!,
      }))
      .filter(({ documented }) => documented.tags.includes(tag)),
  }))

/**
 * Describes an API. The library trpc-to-openapi generates the paths, parameters and schemas. This function adds what
 * the library cannot express: success statuses, errors, headers, scopes, strict bodies and examples. This function does
 * not use the library's error responses, because the library puts the same objects into all documents.
 */
export const describe = (router: AnyTRPCRouter, api: Api, service: ServiceInfo): Description => {
  const { apiRoot, docsUrl, callsPerMinute } = service
  const { scheme, prefix } = api.credential
  const operations = operationsOf(router).filter(({ meta }) => meta.api === api.name)
  const generated = generateOpenApiDocument(router, {
    title: api.title,
    version: api.version,
    openApiVersion: '3.1.0',
    baseUrl: `${apiRoot}/v1`,
    filter: ({ metadata }) => (metadata as Meta).api === api.name,
  }) as unknown as ApiDocument

  const codes = [...new Set(operations.flatMap(errorCodesOf))]
  const document: ApiDocument = {
    openapi: generated.openapi,
    info: {
      title: api.title,
      version: api.version,
      summary: api.summary,
      description: introduction(api, callsPerMinute),
      contact: { name: 'The operator of this service', ...contactOf(service) },
      license: { name: 'Terms of this service', url: `${docsUrl}#terms` },
    },
    servers: [{ url: `${apiRoot}/v1`, description: 'This service' }],
    externalDocs: { url: docsUrl, description: 'API reference' },
    tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
    paths: {},
    components: {
      schemas: { ...ownSchemas(generated), ...problemSchemas([...codes, ...ROUTING_ERRORS]) },
      responses: sharedFailures(operations),
      headers: headers(callsPerMinute, operations),
      examples: examples(codes, docsUrl),
      securitySchemes: {
        [scheme]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: `${prefix}…`,
          description: credentialDescription(api),
        },
      },
    },
  }
  for (const operation of operations) {
    const method = operation.method.toLowerCase()
    const draft = generated.paths[operation.path]![method]!
    document.paths[operation.path] = {
      ...document.paths[operation.path],
      [method]: completeOperation(operation, draft, { api, document, docsUrl, operations }),
    }
  }
  const furtherTools = toolsIn(router).filter(({ meta }) => meta.api === api.name && !meta.openapi)
  return { api, operations, furtherTools, document }
}

const contactOf = ({ contact, docsUrl }: ServiceInfo) =>
  contact === undefined ? { url: `${docsUrl}#help` } : isMail(contact) ? { email: contact } : { url: contact }

const introduction = (api: Api, callsPerMinute: number) =>
  [api.summary, bullets(conventions(callsPerMinute).map(({ title, text }) => `**${title}.** ${text}`))].join(
    '\n\n',
  )

const credentialDescription = ({ credential, scopes }: Api) =>
  [
    `Send \`Authorization: Bearer <${credential.noun}>\`; every ${credential.noun} begins with \`${credential.prefix}\`. ${credential.origin}`,
    'Scopes:',
    bullets(Object.entries(scopes).map(([scope, description]) => `\`${scope}\`: ${description}`)),
  ].join('\n\n')

/** Returns the router's schemas, without the bounds that only restrict integers to the safe range. */
const ownSchemas = ({ components }: ApiDocument): Record<string, Schema> => {
  const own = Object.entries(components.schemas).filter(([name]) => !name.startsWith('error.'))
  return JSON.parse(JSON.stringify(Object.fromEntries(own)), (key, value: unknown) =>
    isSafeBound(key, value) ? undefined : value,
  ) as Record<string, Schema>
}

const isSafeBound = (key: string, value: unknown) =>
  (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
  (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
