import { guideText } from '../mcp/guide-text.ts'
import { type Description, type Entry, entriesOf } from '../openapi/describe.ts'
import { type ApiDocument, type DocumentedOperation, resolved, type Schema } from '../openapi/document.ts'
import { errorCodesOf } from '../openapi/error-codes.ts'
import { EXTRA_TOOLS, UPLOAD_LINKS } from '../shared/extra-tools.ts'

/**
 * An API's operations as Markdown: description, body, response and errors of each. The text for the Space API begins
 * with the guide to building a site.
 */
export const apiMarkdown = (description: Description): string => {
  const { api, furtherTools, document } = description
  const sections = entriesOf(description).map(({ tag, entries }) =>
    [`## ${tag}`, api.tags[tag], ...entries.map(entry => operationMarkdown(entry, document))].join('\n\n'),
  )
  const tools = furtherTools.map(({ meta: { tool } }) => `- \`${tool!.name}\`: ${tool!.description}`)
  if (tools.length > 0)
    sections.push(`## Further tools\n\n${EXTRA_TOOLS}\n\n${tools.join('\n')}\n\n${UPLOAD_LINKS}`)
  const guide = api.name === 'space' ? [guideText('##').trimEnd()] : []
  return `${[`# ${api.title} ${api.version}`, api.summary, ...guide, ...sections].join('\n\n')}\n`
}

const operationMarkdown = ({ operation, documented }: Entry, document: ApiDocument): string => {
  const { method, path, meta } = operation
  const body = documented.requestBody?.content['application/json']
  const [status, schema] = successOf(documented)
  return [
    `### ${documented.summary}`,
    `\`${method} ${path}\``,
    documented.description,
    ...(meta.tool ? [`As a tool: \`${meta.tool.name}\``] : []),
    ...optionalLines(documented, 'query', 'Query'),
    ...optionalLines(documented, 'header', 'Headers'),
    ...(body ? [`Body:\n\n${fields(body.schema, document)}`, example(body.example)] : []),
    schema ? `Returns ${status}:\n\n${fields(schema, document)}` : `Returns ${status} without a body.`,
    `Errors: ${errorCodesOf(operation)
      .map(code => `\`${code}\``)
      .join(', ')}.`,
  ].join('\n\n')
}

/** Lists the optional parameters of one kind. */
const optionalLines = (
  { parameters }: DocumentedOperation,
  kind: 'query' | 'header',
  title: string,
): string[] => {
  const lines = parameters
    .filter(parameter => parameter.in === kind)
    .map(({ name, description }) => `- \`${name}\` (optional): ${description}`)
  return lines.length > 0 ? [`${title}:\n\n${lines.join('\n')}`] : []
}

/** The success status, and the schema of the body if there is one. */
const successOf = ({ responses }: DocumentedOperation): [string, Schema | undefined] => {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2'))!
  return [status, 'content' in response ? response.content?.['application/json']?.schema : undefined]
}

const example = (value: unknown) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``

/** The fields of an object as a list, with the fields of nested objects indented below. */
const fields = (schema: Schema, document: ApiDocument, indent = ''): string => {
  if (schema.oneOf)
    return schema.oneOf.map(one => `${one.title}:\n\n${fields(one, document, indent)}`).join('\n\n')
  const { properties = {}, required = [] } = resolved(schema, document)
  const lines = Object.entries(properties).flatMap(([name, reference]) => {
    const field = resolved(reference, document)
    const about = [
      typeOf(field, document),
      ...(required.includes(name) ? [] : ['optional']),
      ...rulesOf(field),
    ]
    const words = field.description === undefined ? '' : `: ${field.description}`
    const inner = innerOf(field, document)
    const below = inner?.properties ? [fields(inner, document, `${indent}  `)] : []
    return [`${indent}- \`${name}\` (${about.join(', ')})${words}`, ...below]
  })
  return lines.length > 0 ? lines.join('\n') : `${indent}- no fields`
}

/** Returns the object schema in a field: the field's own schema, or the schema of its list items. */
const innerOf = (field: Schema, document: ApiDocument): Schema | undefined => {
  const choices = (field.anyOf ?? [field]).map(one => resolved(one, document))
  const first = choices.find(({ type }) => type !== 'null')
  return first?.items ? resolved(first.items, document) : first
}

const typeOf = (field: Schema, document: ApiDocument): string => {
  if (field.anyOf) return field.anyOf.map(one => typeOf(resolved(one, document), document)).join(' or ')
  if (field.items) return `list of ${typeOf(resolved(field.items, document), document)}`
  const type = field.type ?? 'any JSON'
  return typeof type === 'string' ? type : type.join(' or ')
}

/** The constraints of a field beyond its type. */
const rulesOf = ({
  enum: values,
  const: only,
  pattern,
  minLength,
  maxLength,
  default: value,
}: Schema): string[] => [
  ...(values ? [`one of ${values.map(value => JSON.stringify(value)).join(', ')}`] : []),
  ...(only === undefined ? [] : [JSON.stringify(only)]),
  ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
  ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ...(pattern === undefined ? [] : [`matches \`${pattern}\``]),
  ...(value === undefined ? [] : [`default ${JSON.stringify(value)}`]),
]
