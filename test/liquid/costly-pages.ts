import type { Trial } from './site.ts'

/** A page that is slow to evaluate but exceeds no limit. */
export interface CostlyPage {
  name: string
  /** Returns a body that is different for each number, so that no two readers share an evaluation or a syntax tree. */
  html: (number: number) => string
  trial?: Trial
}

/** Returns a template with a loop of this many iterations. 7,000 iterations take about 40 ms. */
export const loops = (iterations: number) => (number: number) =>
  `{% for i in (1..${iterations}) %}{% assign x = i | times: 3 | plus: ${number} | append: "x" | upcase %}{{ x | size }}{% endfor %}`

const TAG = '{% if page.slug %}<p class="row">text</p>{% endif %}'
const TAGS = 9000
const CHARACTERS = 200_000

/** Returns a template that takes longer to parse than to evaluate. `if` and `endif` count as two tags. */
const manyTags = (tags: number) => (number: number) =>
  `${number}${TAG.repeat(tags / 2)}`.padEnd(CHARACTERS, 'text ')

/**
 * Returns pages that need up to a third of the CPU time that a page may use.
 *
 * @param slowness the factor by which a core of this machine is slower than usual. The number of loop iterations and
 * the number of tags are divided by this factor.
 */
export const costlyPages = (slowness = 1): CostlyPage[] => [
  { name: 'a page of 40 ms', html: loops(Math.round(7_000 / slowness)) },
  { name: 'a page of 200 KB with 9,000 tags', html: manyTags(TAGS / slowness) },
]
