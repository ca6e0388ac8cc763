/**
 * `node test/bench/sanitize.ts`: measures how long sanitizing takes for a realistic page and for the slowest known
 * pages. Every page has 262,144 characters, the maximum length. Prints the median time and the worst time of several
 * runs. Also prints the processor time of the median run. On a busy machine, the processor time is more reliable. The
 * processor time includes the threads that collect garbage.
 */
import { sanitize } from '../../routers/rendering/sanitize/sanitize.ts'

const length = 262_144
const runs = 7

const fill = (piece: string, before = ''): string =>
  (before + piece.repeat(Math.ceil(length / piece.length))).slice(0, length)
const distinct = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('')

const article = `<section class="entry" id="e1" data-kind="news"><h2>A heading &amp; more</h2>
  <p style="margin: 1em">Some words, <a href="https://example.com/a?b=c&amp;d=e">a link</a>, <em>stress</em> and
  <strong>weight</strong>, followed by more words so that a paragraph is as long as paragraphs are.</p>
  <img src="/files/a.png" srcset="/files/a.png 1x, /files/b.png 2x" alt="A picture" width="640" height="480">
  <table class="data"><thead><tr><th scope="col">Name</th><th>Value</th></tr></thead>
  <tbody><tr><td>One</td><td>1</td></tr><tr><td>Two</td><td onclick="a()">2</td></tr></tbody></table>
  <ul><li>First</li><li>Second <a href="/b">link</a></li></ul></section>
`
const realistic = fill(
  article,
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>News</title><style>${'.a > .b { color: red }\n'.repeat(200)}</style></head><body>`,
)

const cases: Array<[string, string]> = [
  ['a realistic page', realistic],
  ['nothing but <b>', fill('<b>')],
  ['nothing but <div>', fill('<div>')],
  ['nothing but <svg>', fill('<svg>')],
  ['<p><b id=a>', fill('<p><b id=a>')],
  ['<nobr>', fill('<nobr>')],
  ['<a> moved out of a table', fill('<a>', '<table>')],
  ['<b></b> moved out of a table', fill('<b></b>', '<table>')],
  ['links adopted over and over', fill('<a><div>')],
  ['many formats reopened (rejected)', fill('<p>x</p>', `<div>${distinct(5000, i => `<i id=${i}>`)}</div>`)],
  ['long attribute repeated (rejected)', fill('<p>x', `<p><b title="${'x'.repeat(50_000)}">`)],
  ['30,000 attributes', `<p ${distinct(30_000, i => `a${i}=1 `)}>`.slice(0, length)],
  ['unclosed tables', fill('<table><td>')],
  ['<', fill('<')],
  ['&', fill('&')],
  ['style sheet of url(', fill('url(', '<style>')],
  ['style sheet of quotes', fill('"', '<style>')],
  ['style attribute of url(', `${fill('url(', '<p style="')}">`],
  ['srcset', `${fill('/a 1x, ', '<img srcset="')}">`],
]

const start = performance.now()
sanitize(realistic)
console.log(`first page of a new process: ${(performance.now() - start).toFixed(1)} ms\n`)
for (let round = 0; round < 10; round++) sanitize(realistic)

console.log('milliseconds'.padEnd(38), '  median', '   worst', '     cpu')
for (const [name, source] of cases) {
  const times: Array<{ elapsed: number; processor: number }> = []
  let result = ''
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    const before = process.cpuUsage()
    try {
      result = `${sanitize(source).length} characters`
    } catch (error) {
      result = error instanceof Error ? error.name : String(error)
    }
    const { user, system } = process.cpuUsage(before)
    times.push({ elapsed: performance.now() - start, processor: (user + system) / 1000 })
  }
  times.sort((a, b) => a.elapsed - b.elapsed)
  const median = times[Math.floor(runs / 2)]
  const columns = [median?.elapsed, times.at(-1)?.elapsed, median?.processor].map(time =>
    (time ?? 0).toFixed(1).padStart(8),
  )
  console.log(name.padEnd(38), ...columns, ' ', result)
}
console.log(`memory at the end: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`)
