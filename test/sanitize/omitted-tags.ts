/** Generates pages whose authors omitted optional tags and, in rare cases, required ones. */
import * as fc from 'fast-check'

const words = (list: string): string[] => list.split(/\s+/)
const join = (parts: readonly string[]): string => parts.join('')

/** `optional`: an end tag that is often omitted. `required`: an end tag that is rarely omitted. */
const optional = (name: string): fc.Arbitrary<string> =>
  fc.constantFrom(`</${name}>`, `</${name}>\n`, '', '', '\n')
const required = (name: string): fc.Arbitrary<string> =>
  fc.oneof({ weight: 150, arbitrary: fc.constant(`</${name}>`) }, { weight: 1, arbitrary: fc.constant('') })

const text = fc.constantFrom('x', 'a & b', '\n', ' ', '<br>', '<img src=/a>', '<!-- c -->', '&nbsp;', '')

const { flow } = fc.letrec<Record<'inline' | 'block' | 'flow' | 'table', string>>(tie => {
  const element = (names: string, content: fc.Arbitrary<string>, end = required) =>
    fc
      .constantFrom(...words(names))
      .chain(name => fc.tuple(fc.constant(`<${name}>`), content, end(name)).map(join))
  const several = (content: fc.Arbitrary<string>, maxLength = 3) => fc.array(content, { maxLength }).map(join)
  const inline = several(
    fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: text },
      element('b a i span code nobr', tie('inline')),
      element('ruby', several(fc.oneof(text, element('rt rp rb rtc', tie('inline'), optional)))),
    ),
  )
  const row = element('tr', several(element('td th', tie('flow'), optional)), optional)
  const table = fc
    .tuple(
      several(element('caption', tie('inline'), optional), 1),
      several(fc.oneof(fc.constant('<col>'), element('colgroup', fc.constant('<col>\n'), optional)), 2),
      several(fc.oneof(row, element('thead tbody tfoot', several(row), optional))),
    )
    .map(join)
  const list = several(element('li', tie('flow'), optional))
  const block = fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: element('p', tie('inline'), optional) },
    { weight: 2, arbitrary: element('ul ol menu', list) },
    { weight: 2, arbitrary: element('dl', several(element('dt dd', tie('flow'), optional))) },
    { weight: 2, arbitrary: element('table', tie('table')) },
    { weight: 2, arbitrary: element('div section h1 h2 pre details blockquote', tie('flow')) },
    { weight: 1, arbitrary: fc.constant('<hr>') },
  )
  return { inline, block, table, flow: several(fc.oneof(tie('block'), tie('block'), tie('inline'))) }
})

const frames: [start: string, end: string][] = [
  ['', ''],
  ['<!doctype html>', '\n'],
  ['<!doctype html><html><head><title>x</title><body>', '</html>\n'],
  ['<!doctype html><title>x</title>\n<body>\n', '</body>\n<!-- c -->\n'],
  ['<html><head>\n<meta charset=utf-8></head>\n<body>', '\n</body></html>'],
]

/** Pages that are valid except for rare mistakes. */
export const pagesWithOmittedTags: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...frames), flow)
  .map(([[start, end], content]) => `${start}${content}${end}`)

const tags = words(
  'p li ul dd dt div h1 table caption colgroup col thead tbody tr td ruby rt rtc b a span body html head hr',
).flatMap(name => [`<${name}>`, `</${name}>`])

/** How many sequences of three tags there are for each one that is tested. */
const STEP = 5

/**
 * Every sequence of one or two start and end tags after `beginning`, and a fifth of those of three, in which any two
 * places have every pair of tags. Most of the tags are misplaced.
 */
export function* tagSequences(beginning: string): Generator<string> {
  for (const [n, first] of tags.entries()) {
    yield `${beginning}${first}x`
    for (const [m, second] of tags.entries()) {
      yield `${beginning}${first}x${second}`
      for (let third = (n + m) % STEP; third < tags.length; third += STEP)
        yield `${beginning}${first}x${second}${tags[third]}\n`
    }
  }
}
