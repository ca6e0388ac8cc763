/** The subset of OpenAPI 3.1 that our documents use. */
export interface ApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: { name: string; url?: string; email?: string }
    license: { name: string; url: string }
  }
  servers: { url: string; description: string }[]
  externalDocs: { url: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Response>
    headers: Record<string, Header>
    examples: Record<string, Example>
    securitySchemes: Record<string, SecurityScheme>
  }
}

export interface DocumentedOperation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  /** Alternatives; each names a security scheme and the scope that the operation needs. */
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: {
    required: boolean
    description: string
    content: { 'application/json': { schema: Schema; example: unknown } }
  }
  responses: Record<string, Response | Reference>
}

export interface Parameter {
  in: 'path' | 'query' | 'header'
  name: string
  required: boolean
  description?: string
  schema: Schema
}

export interface Response {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Record<
    string,
    { schema: Schema; example?: unknown; examples?: Record<string, Example | Reference> }
  >
}

export interface Header {
  description: string
  required: boolean
  schema: Schema
  example?: unknown
}

export interface Example {
  summary: string
  value: unknown
}

interface SecurityScheme {
  type: 'http'
  scheme: 'bearer'
  bearerFormat: string
  description: string
}

export interface Reference {
  $ref: string
}

/** The subset of JSON Schema that the documents use. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  examples?: unknown[]
  default?: unknown
  const?: unknown
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  minProperties?: number
  dependentRequired?: Record<string, string[]>
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** Follows a schema's `$ref` to its component. Keywords beside the `$ref` override the component's keywords. */
export const resolved = (schema: Schema, { components }: Pick<ApiDocument, 'components'>): Schema => {
  if (schema.$ref === undefined) return schema
  const { $ref, ...own } = schema
  return { ...components.schemas[$ref.replace('#/components/schemas/', '')], ...own }
}
