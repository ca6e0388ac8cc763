/** The parts of an OpenAPI 3.1 document that ours have. What is left out here is not in them. */
export interface ApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: { name: string; url: string }
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
  /** Alternatives; each names the scheme and the scope it needs. */
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
  in: 'path'
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

/** JSON Schema, as far as the documents use it. */
export interface Schema {
  $ref?: string
  type?: string | string[]
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
  allOf?: Schema[]
}

/** What a schema stands for when it only names a component. Its own words win over the component's. */
export const resolved = (schema: Schema, { components }: Pick<ApiDocument, 'components'>): Schema => {
  if (schema.$ref === undefined) return schema
  const { $ref, ...own } = schema
  return { ...components.schemas[$ref.replace('#/components/schemas/', '')], ...own }
}
