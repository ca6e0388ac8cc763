/**
 * `npm run bench`: compares the service with a bare node:http server. Both run the same queries on the same database of
 * 10,000 spaces. The figures are requests per second, latency, and CPU time per request. The two servers are measured
 * in turns, so that the load of the machine affects both equally. A third process sends the requests. Absolute figures
 * depend on the machine, so look only at the ratios.
 *
 * - `--short` measures a few scenarios briefly.
 * - `--long` also measures databases of a thousand to ten million records, and a million reads.
 * - `--only=<regular expression>` selects scenarios by name. The name `starts` selects the start times.
 * - `--json=<file>` writes the figures to a file.
 * - `--profile=<folder>` writes CPU profiles to a folder.
 *
 * Exits with 1 if requests fail, or if a scenario's rate is too low in every pair of runs. Each scenario can set the
 * lowest allowed rate as `least`. The default is half of the scenario's goal for the rate.
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
/** Scenarios that `--long` measures with databases of different sizes. */
const SCALED = new Set(['GET page', 'GET data', 'PUT data, 1,000 spaces'])

const TIMING = { rounds: 4, seconds: 0.5 }
/**
 * A longer second measurement, for a rate that is too low or a scenario with failed requests. Other programs may have
 * slowed down or paused the first measurement.
 */
const SECOND_LOOK = { rounds: 7, seconds: 1 }
console.log(`${os.availableParallelism()} cores (${os.cpus()[0]?.model}), Node.js ${process.versions.node}`)

/** Whether a rate is too low even in the best pair of runs. */
const isFailed = ({ rate, goals }: Figures) =>
  goals.rate !== undefined && rate.highest < (goals.least ?? goals.rate / 2)

const results: Figures[] = []
let starts: Starts | undefined
const bench = await openBench(options.short ? SMALL : NORMAL)
try {
  console.log(bench.description)
  const isChosen = (name: string, isShort = false) =>
    options.only ? new RegExp(options.only).test(name) : !options.short || isShort
  for (const scenario of bench.scenarios.filter(({ name, isShort }) => isChosen(name, isShort))) {
    let figures = await compare(bench, scenario, TIMING).catch((error: Error) => {
      console.log(error.message)
    })
    if (!figures || isFailed(figures)) figures = await compare(bench, scenario, SECOND_LOOK)
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
      const figures = await compare(scaled, scenario, TIMING)
      scales[size.records]!.push(figures)
      print(figures)
    }
    await scaled.close()
  }

if (options.json) await writeFile(options.json, `${JSON.stringify({ results, starts, scales }, null, 2)}\n`)
const failed = results.filter(isFailed)
for (const { name } of failed) console.log(`Below the least rate: ${name}`)
if (failed.length > 0) process.exitCode = 1
