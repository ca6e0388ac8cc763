/**
 * `node test/liquid/golden-liquid.ts <golden_liquid.json>`: counts the cases of the public collection `golden-liquid`
 * that the template language passes, and lists the others. Fails below `GOAL`. The file is at
 * https://github.com/jg-rp/golden-liquid; it is not published as a package.
 */
import { readFileSync } from 'node:fs'
import { decodeHTML } from 'entities'
import { Liquid } from 'liquidjs'
import { Budget } from '../../routers/rendering/engine/budget.ts'
import { SafeContext } from '../../routers/rendering/engine/context.ts'
import { Engine } from '../../routers/rendering/engine/engine.ts'
import { renderTemplates } from '../../routers/rendering/engine/render.ts'

const GOAL = 900

interface Case {
  name: string
  template: string
  data?: Record<string, unknown>
  /** Parts by name. */
  templates?: Record<string, string>
  result?: string
  results?: string[]
  /** Whether an error is expected. */
  invalid?: true
}

/** An implementation of Liquid. `print` renders a case. `isSame` compares the output with an expected result. */
interface Language {
  print: (test: Case) => string
  isSame: (printed: string, expected: string) => boolean
}

const plain: Language = {
  print: ({ template, data = {}, templates = {} }) =>
    new Liquid({ templates }).parseAndRenderSync(template, data),
  isSame: (printed, expected) => printed === expected,
}

const ours: Language = {
  print: ({ template, data = {}, templates = {} }) => {
    const engine: Engine = new Engine(name => engine.parse(partOf(templates, String(name)), 'part').templates)
    const context = new SafeContext(data, engine.forContext, new Budget())
    return renderTemplates(engine.parse(template, 'page').templates, context)
  },
  // Our output is escaped; in the collection, only the results of some filters are escaped.
  isSame: (printed, expected) => [expected, decodeHTML(expected)].includes(decodeHTML(printed)),
}

function partOf(templates: Record<string, string>, name: string): string {
  const part = templates[name]
  if (part === undefined) throw new Error(`no part ${name}`)
  return part
}

/** Runs a case. If the case fails, returns the output (or error) and the expected result; otherwise undefined. */
function difference({ print, isSame }: Language, test: Case): string | undefined {
  const { invalid, result = '', results = [result] } = test
  const expected = invalid ? 'an error' : JSON.stringify(results[0])
  let printed: string
  try {
    printed = print(test)
  } catch (error) {
    return invalid ? undefined : `${String(error)}, expected ${expected}`
  }
  const passes = !invalid && results.some(result => isSame(printed, result))
  return passes ? undefined : `${JSON.stringify(printed)}, expected ${expected}`
}

const [file = 'golden_liquid.json'] = process.argv.slice(2)
const { tests } = JSON.parse(readFileSync(file, 'utf8')) as { tests: Case[] }
const failures = tests.flatMap(test => {
  const found = difference(ours, test)
  return found === undefined ? [] : [`${test.name}\n  ${JSON.stringify(test.template)}\n  → ${found}`]
})
const passed = (language: Language) => tests.filter(test => difference(language, test) === undefined).length
console.log(failures.join('\n'))
console.log(
  `\n${tests.length - failures.length} of ${tests.length} cases pass; with plain liquidjs, ${passed(plain)} pass.`,
)
if (tests.length - failures.length < GOAL) process.exitCode = 1
