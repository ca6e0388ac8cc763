/**
 * `npm run bench`: requests per second, latency and CPU time per request beside a bare node:http server that runs the
 * same queries on the same database, which holds 10,000 spaces. The two take turns, so that both see the same machine;
 * the load comes from a third process. Absolute figures depend on the machine: compare the ratios.
 *
 * `--short` measures a few scenarios briefly; `--long` also measures a thousand to ten million records, and a million reads.
 * `--only=<regular expression>` selects scenarios and `starts`, `--json=<file>` writes the figures, and `--profile=<folder>` CPU
 * profiles. Exits with 1 when a rate is below half of its goal in every pair of runs, which a busy machine does not explain.
 */
import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { openBench } from './requests/bench.ts'
import { compare, type Figures } from './requests/compare.ts'
import { print, printStarts, printTrace } from './requests/print.ts'
import { writeProfile } from './requests/profile.ts'
import type { SeedSize } from './requests/seed.ts'
import { measureSoak } from './requests/soak.ts'
import { measureStarts, type Starts } from './requests/starts.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})

const NORMAL: SeedSize = { spaces: 10_000, records: 100_000, posts: 10_000 }
const SMALL: SeedSize = { spaces: 1_000, records: 10_000, posts: 1_000 }
const SCALES: SeedSize[] = [
  { spaces: 100, records: 1_000, posts: 100, isLean: true },
  { spaces: 10_000, records: 100_000, posts: 100, isLean: true },
  { spaces: 1_000_000, records: 10_000_000, posts: 100, isLean: true },
]
/** Scenarios that are compared between sizes of the database. */
const SCALED = new Set(['GET page', 'GET data', 'PUT data, 1,000 spaces'])

const timing = options.short ? { rounds: 3, seconds: 0.6 } : { rounds: 2, seconds: 1.5 }
/** For a rate that seems to be too low, which a moment in which other programs ran can cause. */
const SECOND_LOOK = { rounds: 7, seconds: 0.6 }
console.log(`${os.availableParallelism()} cores (${os.cpus()[0]?.model}), Node.js ${process.versions.node}`)

/** Whether a rate is below half of its goal in each pair of runs. */
const isFailed = ({ rate, goals }: Figures) => goals.rate !== undefined && rate.highest < goals.rate / 2

const results: Figures[] = []
let starts: Starts | undefined
const bench = await openBench(options.short ? SMALL : NORMAL)
try {
  console.log(bench.description)
  const isChosen = (name: string, isShort = false) =>
    options.only ? new RegExp(options.only).test(name) : !options.short || isShort
  for (const scenario of bench.scenarios.filter(({ name, isShort }) => isChosen(name, isShort))) {
    let figures = await compare(bench, scenario, timing)
    if (isFailed(figures)) figures = await compare(bench, scenario, SECOND_LOOK)
    results.push(figures)
    print(figures)
    if (options.profile) await writeProfile(bench, scenario, options.profile)
  }
  if (!options.short) for (const figures of results) printTrace(figures)
  console.log(`Memory of the main process: ${await bench.memory()} MB`)
  if (isChosen('starts')) {
    starts = await measureStarts(bench.url)
    printStarts(starts)
  }
  if (options.long) await measureSoak(bench)
} finally {
  await bench.close()
}

const scales: Record<string, Figures[]> = {}
if (options.long)
  for (const size of SCALES) {
    const scaled = await openBench(size)
    console.log(scaled.description)
    scales[size.records] = []
    for (const scenario of scaled.scenarios.filter(({ name }) => SCALED.has(name))) {
      const figures = await compare(scaled, scenario, timing)
      scales[size.records]!.push(figures)
      print(figures)
    }
    await scaled.close()
  }

if (options.json) await writeFile(options.json, `${JSON.stringify({ results, starts, scales }, null, 2)}\n`)
const failed = results.filter(isFailed)
for (const { name } of failed) console.log(`Below half of its goal: ${name}`)
if (failed.length > 0) process.exitCode = 1
