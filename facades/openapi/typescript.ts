import type { Description, Entry } from './describe.ts'
import { entriesOf } from './describe.ts'
import type { Schema } from './document.ts'
import { pascal } from './format.ts'

/** How the typed client sends a call: method, path, names of the query parameters, and whether there is a body. */
export interface CallPlan {
  method: string
  path: string
  query: string[]
  hasBody: boolean
}

/** Returns how the typed client sends the calls of an API, by the names of the operations. */
export const callPlans = (description: Description): Record<string, CallPlan> =>
  Object.fromEntries(
    entries(description).map(({ operation, documented }) => [
      documented.operationId,
      {
        method: operation.method,
        path: operation.path,
        query: operation.queryParameters,
        hasBody: operation.takesBody,
      },
    ]),
  )

/** Returns the type declarations of the typed client, made from the OpenAPI documents. */
export const clientTypes = (descriptions: readonly Description[]): string => {
  const schemas = Object.assign(
    {},
    ...descriptions.map(({ document }) => document.components.schemas),
  ) as Record<string, Schema>
  const { Problem: _problem, ...named } = schemas
  const codes = descriptions.flatMap(
    ({ document }) => document.components.schemas.Problem!.properties!.code!.enum as string[],
  )
  return [
    '// Made from the OpenAPI documents; see test/openapi/client.test.ts.',
    "import type { CallOptions, Conditional, Repeatable } from './index.js'",
    `/** The codes of errors. */\nexport type ErrorCode =\n${[...new Set(codes)]
      .sort()
      .map(code => `  | ${JSON.stringify(code)}`)
      .join('\n')}`,
    ...Object.entries(named).map(
      ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)}`,
    ),
    ...descriptions.flatMap(description =>
      entries(description).flatMap(entry => {
        const input = inputOf(entry)
        return input === undefined ? [] : [`export type ${inputName(entry)} = ${input}`]
      }),
    ),
    ...descriptions.map(
      description =>
        `/** Calls the ${description.api.title}: ${description.api.summary} */\nexport interface ${pascal(description.api.name)}Client {\n${entries(
          description,
        )
          .map(method)
          .join('\n')}\n}`,
    ),
    '',
  ].join('\n\n')
}

const entries = (description: Description): Entry[] => entriesOf(description).flatMap(one => one.entries)

const inputName = ({ documented }: Entry) =>
  `${documented.operationId.replace(/^./, letter => letter.toUpperCase())}Input`

/** The declaration of the method that sends a call. */
const method = (entry: Entry): string => {
  const { operation, documented } = entry
  const { status = 200, conditional = [] } = operation.meta
  const response = documented.responses[status]!
  const schema = 'content' in response ? response.content?.['application/json']?.schema : undefined
  const options = [
    'CallOptions',
    ...(operation.method === 'GET' || conditional.length === 0 ? [] : ['Conditional']),
    ...(operation.method === 'GET' && conditional.includes('If-None-Match')
      ? ["Pick<Conditional, 'ifNoneMatch'>"]
      : []),
    ...(operation.method === 'POST' ? ['Repeatable'] : []),
  ].join(' & ')
  const given = inputOf(entry) === undefined ? '' : `input: ${inputName(entry)}, `
  const about = `${documented.summary}. ${documented.description.replaceAll('\n\n', ' ')}`
  return `${comment(about, '  ')}  ${documented.operationId}(${given}options?: ${options}): Promise<${schema ? typeOf(schema, '  ') : 'void'}>`
}

/** The parameters and the fields of the body together; undefined if there are none. */
const inputOf = ({ documented }: Entry): string | undefined => {
  const parameters = documented.parameters.filter(
    ({ in: place, name }) => place !== 'header' && name !== 'subdomain',
  )
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  const required = parameters.filter(one => one.required).map(({ name }) => name)
  const body = documented.requestBody?.content['application/json'].schema
  const parts = [
    ...(parameters.length > 0 ? [typeOf({ type: 'object', properties, required })] : []),
    ...(body ? [body.oneOf ? `(${typeOf(body)})` : typeOf(body)] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(' & ')
}

const typeOf = (schema: Schema, indent = ''): string => {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map(one => typeOf(one, indent)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map(type => typeOf({ ...schema, type }, indent)).join(' | ')
  switch (schema.type) {
    case 'object':
      return objectType(schema, indent)
    case 'array':
      return `Array<${typeOf(schema.items ?? {}, indent)}>`
    case 'integer':
      return 'number'
    case undefined:
      return 'unknown'
    default:
      return schema.type
  }
}

const objectType = ({ properties, required = [] }: Schema, indent: string): string => {
  if (!properties) return '{ [key: string]: unknown }'
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    return `${comment(schema.description, inner)}${inner}${name}${isRequired ? '' : '?'}: ${typeOf(schema, inner)}${isRequired ? '' : ' | undefined'}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const comment = (text: string | undefined, indent = ''): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
