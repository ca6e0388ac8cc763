import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { ApiDocument, DocumentedOperation, Header, Response } from '../../facades/openapi/document.ts'

/** An answer as it came over the wire. */
export interface WireAnswer {
  status: number
  headers: Headers
  text: string
}

interface Located<T> {
  value: T
  /** Where it stands in the document. */
  at: string
}

const escaped = (segment: string) => encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * Holds values against a document with a JSON Schema validator. Where something does not fit, what is wrong is
 * listed in words; an empty list means that it fits.
 */
export const conformityWith = (document: ApiDocument) => {
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

  /** How a value breaks the schema at some place of the document. */
  const schemaFaults = (value: unknown, at: string): string[] => {
    const validate = validators.get(at) ?? ajv.compile({ $ref: `document${at}` })
    validators.set(at, validate)
    return validate(value)
      ? []
      : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`)
  }

  const headerFaults = (headers: Headers, response: Response): string[] =>
    Object.entries(response.headers ?? {}).flatMap(([name, header]) => {
      const { value, at } = follow<Header>(header, '')
      const text = headers.get(name)
      if (text === null) return value.required ? [`the header ${name} is missing`] : []
      const typed = value.schema.type === 'integer' ? Number(text) : text
      return schemaFaults(typed, `${at}/schema`).map(fault => `${name}: ${fault}`)
    })

  const bodyFaults = ({ headers, text }: WireAnswer, response: Located<Response>): string[] => {
    const types = Object.keys(response.value.content ?? {})
    if (types.length === 0) return text === '' ? [] : ['there is a body, and none is documented']
    const type = headers.get('content-type')?.split(';')[0] ?? ''
    if (!types.includes(type)) return [`the media type is ${type} and should be ${types.join(' or ')}`]
    return schemaFaults(JSON.parse(text), `${response.at}/content/${escaped(type)}/schema`)
  }

  /** How an answer falls outside what is documented of an operation. */
  const answerFaults = (path: string, method: string, answer: WireAnswer): string[] => {
    const documented = document.paths[path]?.[method]?.responses[answer.status]
    if (!documented) return [`the status ${answer.status} is not documented`]
    const at = `#/paths/${escaped(path)}/${method}/responses/${answer.status}`
    const response = follow<Response>(documented, at)
    return [...headerFaults(answer.headers, response.value), ...bodyFaults(answer, response)]
  }

  /** The failures that an operation is documented to have. */
  const codesOf = (operation: DocumentedOperation): string[] =>
    Object.values(operation.responses).flatMap(documented => {
      const { value } = follow<Response>(documented, '')
      const schema = value.content?.['application/problem+json']?.schema
      return (schema?.allOf?.[1]?.properties?.code?.enum ?? []) as string[]
    })

  return { schemaFaults, answerFaults, codesOf }
}

/** The place of an operation's request schema in its document. */
export const requestSchemaAt = (path: string, method: string) =>
  `#/paths/${escaped(path)}/${method}/requestBody/content/${escaped('application/json')}/schema`
