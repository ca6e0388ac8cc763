/** Runs axe in a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  help: string
  nodes: { html: string; failureSummary?: string }[]
}

/**
 * Runs axe on the current state of the view, with the rules for WCAG 2.2 AA and best practices.
 *
 * @returns one line for each violation
 */
export const violationsOf = async (page: Page): Promise<string[]> => {
  // The security policy blocks injected scripts; evaluating through the debugger bypasses it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe)
  const violations = await page.evaluate<Violation[]>(
    "axe.run({ resultTypes: ['violations'], selectors: false }).then(({ violations }) => violations)",
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
  )
}
