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
 * Whether a violation is a false alarm about the editor's list of completions. axe reports a scrollable list that
 * cannot have the focus, unless a combobox controls the list. The editor is a text box, not a combobox. It names the
 * selected completion with `aria-activedescendant`, so the keyboard still reaches all completions.
 */
const isFalseAlarm = (id: string, html: string) =>
  id === 'scrollable-region-focusable' && html.startsWith('<ul id="cm-ac-')

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
    nodes
      .filter(({ html }) => !isFalseAlarm(id, html))
      .map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary ?? ''}`),
  )
}
