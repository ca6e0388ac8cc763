import { z } from 'zod'
import { limits } from '../../routers/api/rules.ts'
import type { Operation } from '../operations/list.ts'
import type { Api } from '../shared/apis.ts'
import { type ApiDocument, type DocumentedOperation, resolved, type Schema } from './document.ts'
import { exampleOf } from './example.ts'
import { anyOf, formatNumber } from './format.ts'
import { conditionParameters, failures, keyParameters, notModified, success } from './responses.ts'

/** The document that the operation is added to. */
interface DocumentContext {
  api: Api
  document: ApiDocument
  docsUrl: string
  /** All operations of the API. */
  operations: readonly Operation[]
}

/**
 * Completes a generated operation: description, scopes, success status, failures and examples.
 *
 * @param draft the operation as trpc-to-openapi generated it
 */
export const completeOperation = (
  operation: Operation,
  draft: DocumentedOperation,
  { api, document, docsUrl, operations }: DocumentContext,
): DocumentedOperation => {
  const { status = 200, scopes = [] } = operation.meta
  const { scheme, noun } = api.credential
  const schema =
    draft.responses['200'] && 'content' in draft.responses['200']
      ? draft.responses['200'].content?.['application/json']?.schema
      : undefined
  return {
    operationId: draft.operationId,
    summary: draft.summary,
    description: `${draft.description}\n\n${
      scopes.length > 0 ? `Needs the scope ${anyOf(scopes)}.` : `Works with any ${noun}, whatever its scopes.`
    }`,
    tags: draft.tags,
    security: scopes.length > 0 ? scopes.map(scope => ({ [scheme]: [scope] })) : [{ [scheme]: [] }],
    parameters: [...draft.parameters, ...conditionParameters(operation), ...keyParameters(operation)],
    ...(draft.requestBody ? { requestBody: requestBody(operation, draft.requestBody, document) } : {}),
    responses: {
      [status]: success(
        operation,
        schema && { 'application/json': { schema, example: exampleOf(schema, document) } },
        operations,
      ),
      ...notModified(operation),
      ...failures(operation, docsUrl),
    },
  }
}

/**
 * Returns the request body. Adds the rules for the object as a whole, because the generator drops them from
 * objects with refinements.
 */
const requestBody = (
  operation: Operation,
  draft: NonNullable<DocumentedOperation['requestBody']>,
  document: ApiDocument,
): DocumentedOperation['requestBody'] => {
  const { id: _id, ...rules } = operation.input.meta() ?? {}
  const isStrict = operation.input.def.catchall instanceof z.ZodNever
  const schema: Schema = {
    ...draft.content['application/json'].schema,
    ...(rules as Schema),
    ...(isStrict ? { additionalProperties: false } : {}),
  }
  return {
    required: true,
    description: `At most ${formatNumber(operation.meta.bodyLimit ?? limits.body)} bytes of JSON`,
    content: {
      'application/json': {
        schema: operation.meta.variants ? variantsOf(schema, operation.meta.variants, document) : schema,
        example: exampleOf(schema, document),
      },
    },
  }
}

/**
 * Returns one schema for each value of the field that decides which other fields a body has. There is no discriminator,
 * because it would have to be in every body.
 */
const variantsOf = (
  { properties = {}, required = [], examples, ...rest }: Schema,
  { field, fallback, fields }: NonNullable<Operation['meta']['variants']>,
  document: ApiDocument,
): Schema => {
  const dependent = new Set(Object.values(fields).flatMap(({ all }) => all))
  const { description } = resolved(properties[field]!, document)
  return {
    oneOf: Object.entries(fields).map(([value, { required: needed, all }]) => ({
      ...rest,
      title: `With the ${field} ${value}`,
      properties: Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => !dependent.has(name) || all.includes(name))
          .map(([name, schema]) =>
            name === field
              ? [
                  name,
                  { type: 'string', const: value, ...(description === undefined ? {} : { description }) },
                ]
              : [name, schema],
          ),
      ),
      required: [...required, ...(value === fallback ? [] : [field]), needed],
    })),
    ...(examples ? { examples } : {}),
  }
}
