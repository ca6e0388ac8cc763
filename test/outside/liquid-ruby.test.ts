import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { decodeHTML } from 'entities'
import { expect, test } from 'vitest'
import { Budget } from '../../routers/rendering/engine/budget.ts'
import { SafeContext } from '../../routers/rendering/engine/context.ts'
import { Engine } from '../../routers/rendering/engine/engine.ts'
import { renderTemplates } from '../../routers/rendering/engine/render.ts'
import { DIFFERENCES } from './support/liquid-differences.ts'
import { DATA, TemplateGenerator } from './support/liquid-templates.ts'

/** `LIQUID_CASES=50000 LIQUID_SEED=2` tries more templates, or others. */
const CASES = Number(process.env.LIQUID_CASES ?? 3000)
const SEED = Number(process.env.LIQUID_SEED ?? 1)

const ruby = (templates: string[]): string[] =>
  JSON.parse(
    execFileSync('ruby', [fileURLToPath(new URL('support/liquid.rb', import.meta.url))], {
      input: JSON.stringify({ data: DATA, templates }),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, LANG: 'C.UTF-8', TZ: 'UTC' },
    }),
  ) as string[]

const engine = new Engine(() => [])

function ours(template: string): string {
  try {
    const context = new SafeContext(structuredClone(DATA), engine.forContext, new Budget())
    return renderTemplates(engine.parse(template, 'page').templates, context)
  } catch (error) {
    return `the page fails: ${String(error)}`
  }
}

test('generated templates give the results of Ruby’s Liquid, except for deliberate differences', () => {
  const generator = new TemplateGenerator(SEED)
  const templates = Array.from({ length: CASES }, () => generator.next())
  const used = new Set<string>()
  const found = ruby(templates).flatMap((theirs, index) => {
    const template = templates[index]!
    const html = ours(template)
    // Output is escaped here, and only some filters escape in Ruby.
    if ([theirs, decodeHTML(theirs)].includes(decodeHTML(html))) return []
    const excuse = DIFFERENCES.find(
      difference =>
        (difference.template?.test(template) ?? true) &&
        (difference.ruby?.test(theirs) ?? true) &&
        (difference.ours?.test(html) ?? true),
    )
    if (excuse) used.add(excuse.reason)
    return excuse ? [] : [{ template, ruby: theirs, ours: html }]
  })
  expect(found).toEqual([])
  // With so many templates, every difference shows itself, unless it is no longer there.
  const expected = CASES >= 50_000 ? DIFFERENCES.map(({ reason }) => reason) : []
  expect(expected.filter(reason => !used.has(reason))).toEqual([])
})
