import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { ApiDocument, DocumentedOperation, Header, Response } from '../../facades/openapi/document.ts'

/** A response as received. */
export interface WireResponse {
  status: number
  headers: Headers
  text: string
}

interface Located<T> {
  value: T
  /** Where the value is in the document, as JSON Pointer. */
  at: string
}

const escaped = (segment: string) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * Checks values and responses against an OpenAPI document. Each check returns a list of messages, which is empty when
 * the value conforms.
 */
export const documentChecker = (document: ApiDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  const validators = new Map<string, ValidateFunction>()

  const follow = <T extends object>(value: T | { $ref: string }, at: string): Located<T> => {
    if (!('$ref' in value)) return { value, at }
    const target = value.$ref
      .slice(2)
      .split('/')
      .reduce((node: unknown, name) => (node as Record<string, unknown>)[name], document)
    return { value: target as T, at: value.$ref }
  }

  /** Validates a value against the schema at a JSON Pointer of the document. */
  const schemaErrors = (value: unknown, at: string): string[] => {
    const validate = validators.get(at) ?? ajv.compile({ $ref: `document${at}` })
    validators.set(at, validate)
    return validate(value)
      ? []
      : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)
  }

  const headerErrors = (headers: Headers, response: Response): string[] =>
    Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
      const { value, at } = follow<Header>(header, '')
      const text = headers.get(name)
      if (text === null) return value.required ? [`the header ${name} is missing`] : []
      const typed = value.schema.type === 'integer' ? Number(text) : text
      return schemaErrors(typed, `${at}/schema`).map(message => `${name}: ${message}`)
    })

  const bodyErrors = ({ headers, text }: WireResponse, response: Located<Response>): string[] => {
    const types = Object.keys(response.value.content ?? {})
    if (types.length === 0) return text === '' ? [] : ['the body is not documented']
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    if (!types.includes(type)) return [`the media type is ${type} and should be ${types.join(' or ')}`]
    return schemaErrors(JSON.parse(text), `${response.at}/content/${escaped(type)}/schema`)
  }

  /** Checks a response of an operation: status, headers, media type and body. */
  const responseErrors = (path: string, method: string, received: WireResponse): string[] => {
    const documented = document.paths[path]?.[method]?.responses[received.status]
    if (!documented) return [`the status ${received.status} is not documented`]
    const at = `#/paths/${escaped(path)}/${method}/responses/${received.status}`
    const response = follow<Response>(documented, at)
    return [...headerErrors(received.headers, response.value), ...bodyErrors(received, response)]
  }

  /** Returns the error codes that an operation documents. */
  const errorCodesOf = (operation: DocumentedOperation): string[] =>
    Object.values(operation.responses).flatMap(documented => {
      const { value } = follow<Response>(documented, '')
      const schema = value.content?.['application/problem+json']?.schema
      return (schema?.allOf?.[1]?.properties?.code?.enum ?? []) as string[]
    })

  return { schemaErrors, responseErrors, errorCodesOf }
}

/** Returns the JSON Pointer of an operation's request schema. */
export const requestSchemaAt = (path: string, method: string) =>
  `#/paths/${escaped(path)}/${method}/requestBody/content/${escaped('application/json')}/schema`
