import { html, type Markup } from '../../routers/api/html.ts'
import type { Entry } from '../openapi/describe.ts'

/** The languages of examples, in the order of their buttons. Without scripts, only the first one is visible. */
export const LANGUAGES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  client: 'Client',
} as const

export type Language = keyof typeof LANGUAGES

/** A call, from which its examples in all languages are written. */
export interface Call {
  operation: string
  method: string
  /** The address of the service. */
  apiRoot: string
  /** The path below `/v1`, with the names of parameters in braces. */
  path: string
  /** Values of the parameters. */
  parameters: Readonly<Record<string, string>>
  /** The variable of the environment with the credential. */
  credential: 'KEY' | 'TOKEN'
  body?: unknown
  /** Whether the response has a body. */
  hasAnswer: boolean
}

/** A figure with an example in some or all languages. */
export const samples = (label: string, codes: Partial<Record<Language, string>>): Markup => {
  const written = (Object.keys(LANGUAGES) as Language[]).filter(language => codes[language] !== undefined)
  return html`<figure class="code samples"><figcaption>${label}</figcaption>${written.map(
    (language, index) =>
      html`<pre tabindex="0" data-language="${language}"${index > 0 && html` hidden`}><code>${codes[language]}</code></pre>`,
  )}</figure>`
}

/** A figure with a call in all languages. */
export const callSamples = (label: string, call: Call): Markup => samples(label, codesOf(call))

/** Returns the documented example of an operation. */
export const exampleCall = ({ operation, documented }: Entry, apiRoot: string): Call => {
  const examples = documented.parameters
    .filter(({ in: place }) => place === 'path')
    .map(({ name, schema }) => [name, String(schema.examples?.[0])] as const)
  return {
    operation: documented.operationId,
    method: operation.method,
    apiRoot,
    path: operation.path,
    parameters: Object.fromEntries(examples),
    credential: operation.meta.api === 'user' ? 'TOKEN' : 'KEY',
    body: documented.requestBody?.content['application/json'].example,
    hasAnswer: operation.meta.status !== 204,
  }
}

/** Writes a call in every language. */
export const codesOf = (call: Call): Record<Language, string> => ({
  curl: curl(call),
  javascript: javascript(call),
  python: python(call),
  client: client(call),
})

const urlOf = ({ apiRoot, path, parameters }: Call) =>
  `${apiRoot}/v1${path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => parameters[name]!)}`

/** Quotes text for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

const curl = (call: Call): string =>
  [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${urlOf(call)}`,
    `-H "Authorization: Bearer $${call.credential}"`,
    ...(call.body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(call.body, null, 2))}`]),
  ].join(' \\\n  ')

const javascript = (call: Call): string => {
  const authorization = `Authorization: \`Bearer \${process.env.${call.credential}}\``
  const options = [
    ...(call.method === 'GET' ? [] : [`method: '${call.method}'`]),
    ...(call.body === undefined
      ? [`headers: { ${authorization} }`]
      : [
          `headers: { ${authorization}, 'Content-Type': 'application/json' }`,
          `body: JSON.stringify(${literal(call.body, JAVASCRIPT, '  ')})`,
        ]),
  ]
  return `const response = await fetch('${urlOf(call)}', {
${options.map(option => `  ${option},\n`).join('')}})
if (!response.ok) throw new Error(await response.text())
console.log(${call.hasAnswer ? 'await response.json()' : 'response.status'})`
}

const python = (call: Call): string => {
  const authorization = `"Authorization": f"Bearer {os.environ['${call.credential}']}"`
  const options = [
    `"${urlOf(call)}"`,
    ...(call.method === 'GET' ? [] : [`method="${call.method}"`]),
    ...(call.body === undefined
      ? [`headers={${authorization}}`]
      : [
          `headers={${authorization}, "Content-Type": "application/json"}`,
          `data=json.dumps(${literal(call.body, PYTHON, '    ')}).encode()`,
        ]),
  ]
  return `import ${call.hasAnswer || call.body !== undefined ? 'json, ' : ''}os
from urllib.request import Request, urlopen

request = Request(
${options.map(option => `    ${option},\n`).join('')})
with urlopen(request) as response:
    print(${call.hasAnswer ? 'json.load(response)' : 'response.status'})`
}

const client = (call: Call): string => {
  const { subdomain, ...parameters } = call.parameters
  const input = { ...parameters, ...(call.body as object | undefined) }
  const holder =
    subdomain === undefined ? 'token: process.env.TOKEN' : `space: '${subdomain}', key: process.env.KEY`
  const argument = Object.keys(input).length === 0 ? '' : literal(input, JAVASCRIPT)
  const expression = `await client.${call.operation}(${argument})`
  return `import { createClient } from 'space-site'

const client = createClient({ url: '${call.apiRoot}', ${holder} })
${call.hasAnswer ? `console.log(${expression})` : expression}`
}

/** How a language writes values. */
interface Syntax {
  text: (value: string) => string
  key: (name: string) => string
  words: Record<string, string>
  indent: string
}

const JAVASCRIPT: Syntax = {
  text: value => {
    const double = JSON.stringify(value)
    return value.includes("'") ? double : `'${double.slice(1, -1).replaceAll('\\"', '"')}'`
  },
  key: name => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`),
  words: {},
  indent: '  ',
}

const PYTHON: Syntax = {
  text: value => JSON.stringify(value),
  key: name => JSON.stringify(name),
  words: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
}

/** Writes a JSON value as an expression. @param indent white space before the line that it begins in */
const literal = (value: unknown, syntax: Syntax, indent = ''): string => {
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value)
  const inner = indent + syntax.indent
  if (Array.isArray(value)) return `[${value.map(item => literal(item, syntax, inner)).join(', ')}]`
  const fields = Object.entries(value).map(
    ([name, item]) => `${inner}${syntax.key(name)}: ${literal(item, syntax, inner)},\n`,
  )
  return `{\n${fields.join('')}${indent}}`
}
