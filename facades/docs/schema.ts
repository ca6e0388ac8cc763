import { type Content, html } from '../../routers/api/html.ts'
import type { ApiDocument, Schema } from '../openapi/document.ts'
import { formatNumber } from '../openapi/format.ts'
import { sentence } from './prose.ts'

const nameOf = ($ref: string) => $ref.slice($ref.lastIndexOf('/') + 1)

/** The anchor of an object on the API's page. */
export const objectAnchor = (name: string) => `object-${name}`

const FORMATS: Record<string, string> = { uri: 'URL', 'date-time': 'time' }

/** Describes the type of a value in words, with links to named objects. */
const typeOf = (schema: Schema, document: ApiDocument): Content => {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    const target = document.components.schemas[name]!
    return target.properties ? html`<a href="#${objectAnchor(name)}">${name}</a>` : typeOf(target, document)
  }
  if (schema.anyOf) return joined(schema.anyOf.map(one => typeOf(one, document)))
  if (schema.enum) return joined(schema.enum.map(one => html`<code>${JSON.stringify(one)}</code>`))
  if (schema.const !== undefined) return html`always <code>${JSON.stringify(schema.const)}</code>`
  if (schema.items) return html`list of ${typeOf(schema.items, document)}`
  if (schema.format && FORMATS[schema.format]) return FORMATS[schema.format]
  return [schema.type ?? 'any JSON'].flat().join(' or ')
}

const joined = (contents: Content[]): Content =>
  contents.map((content, index) => [index === 0 ? '' : ' or ', content])

/** The constraints of a value, one sentence each. */
const rulesOf = (schema: Schema): Content[] => {
  const { minLength = 0, maxLength, pattern, minimum, maximum } = schema
  const nullable = schema.anyOf?.find(one => one.type !== 'null')
  return [
    ...(maxLength === undefined
      ? []
      : [
          `${minLength ? `${formatNumber(minLength)} to` : 'At most'} ${formatNumber(maxLength)} characters. `,
        ]),
    ...(maxLength === undefined && minLength ? ['Not empty. '] : []),
    ...(pattern === undefined ? [] : [html`Matches <code class="pattern">${pattern}</code>. `]),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER
      ? []
      : [`At least ${formatNumber(minimum)}. `]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? []
      : [`At most ${formatNumber(maximum)}. `]),
    ...(schema.maxItems === undefined ? [] : [`At most ${formatNumber(schema.maxItems)} items. `]),
    ...(schema.default === undefined
      ? []
      : [html`Default: <code>${JSON.stringify(schema.default)}</code>. `]),
    ...(nullable ? rulesOf(nullable) : []),
  ]
}

interface Field {
  name: string
  schema: Schema
  isRequired: boolean
}

/** The fields of an object. Fields of nested anonymous objects are listed by their path. */
const fieldsOf = (schema: Schema, prefix = ''): Field[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const field = { name: prefix + key, schema: property, isRequired: !!schema.required?.includes(key) }
    const inner = property.items?.properties ? property.items : property
    const nested = fieldsOf(inner, `${prefix}${key}${inner === property ? '' : '[]'}.`)
    return property.properties && nested.length > 0 ? nested : [field, ...nested]
  })

const descriptionOf = (schema: Schema, document: ApiDocument): string | undefined => {
  if (schema.description !== undefined) return schema.description
  const target = schema.$ref && document.components.schemas[nameOf(schema.$ref)]
  return target && !target.properties && target.format !== 'date-time' ? target.description : undefined
}

/**
 * The fields of an object with their types, constraints and descriptions.
 *
 * @param marks whether to mark required fields; false for responses, in which every field is present
 */
export const fieldList = (schema: Schema, document: ApiDocument, marks: boolean): Content =>
  schema.oneOf
    ? schema.oneOf.map(one => html`<h5>${one.title}</h5>${fieldList(one, document, marks)}`)
    : html`<dl class="fields">${fieldsOf(schema).map(field => {
        const description = descriptionOf(field.schema, document)
        const rules = rulesOf(field.schema)
        return html`<div><dt><code>${field.name}</code> <span class="type">${typeOf(field.schema, document)}</span>${
          marks && field.isRequired && html` <span class="required">required</span>`
        }</dt><dd>${description !== undefined && html`<p>${sentence(description)}</p>`}${
          rules.length > 0 && html`<p class="rules">${rules}</p>`
        }</dd></div>`
      })}</dl>`

/** Constraints on an object as a whole. */
export const objectRules = ({ minProperties, dependentRequired = {} }: Schema): Content => {
  const pairs = Object.entries(dependentRequired).map(([field, others]) =>
    [field, ...others].toSorted((a, b) => a.localeCompare(b)),
  )
  const together = [...new Map(pairs.map(pair => [pair.join(), pair])).values()]
  return [
    minProperties ? html`<p>Send at least one of the fields.</p>` : '',
    together.map(
      names =>
        html`<p>${names.map((name, i) => [i ? ' and ' : '', html`<code>${name}</code>`])} must be sent together.</p>`,
    ),
  ]
}
