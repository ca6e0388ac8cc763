/**
 * Plants small faults one at a time and shows which of them no test notices.
 *
 *     npm run test:mutation                                     the files that differ from main
 *     npm run test:mutation -- --sample=300 --seed=1 db routers/api    a sample of the faults of these folders
 *
 * `--map` measures again which tests call which functions, `--skip=100` leaves out the first hundred faults, and
 * `--minutes=90` stops after that time. The faults are planted in a copy of the checkout.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from './mutants.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const MAP = path.join(ROOT, 'node_modules/.cache/covered')
/** The tests that are run first for a fault take about this long, in ms of the run that measured the map. */
const QUICK = 30_000
/** A run that takes longer than this hangs because of its fault, in ms. */
const HANGS_AFTER = 600_000

interface Covered {
  test: string
  ms: number
  called: Record<string, string[]>
}

interface Planted extends Mutant {
  file: string
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '90' },
    skip: { type: 'string', default: '0' },
    map: { type: 'boolean', default: false },
  },
})

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean)

const filesToMutate = (): string[] => {
  const files = positionals.length
    ? git('ls-files', ...positionals)
    : [...git('diff', '--name-only', 'main'), ...git('ls-files', '--others', '--exclude-standard')]
  return [...new Set(files)].filter(
    file =>
      /^(?:db|routers|facades|server)\/.*\.ts$/.test(file) &&
      !/migrations|starters|facades\/admin|build\.ts$/.test(file) &&
      existsSync(path.join(ROOT, file)),
  )
}

/** Random numbers from 0 to 1 that depend only on the seed. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const chosen = (all: Planted[]): Planted[] => {
  if (!options.sample) return all
  const random = randomFrom(Number(options.seed))
  const keyed = all.map(mutant => ({ mutant, key: random() }))
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, Number(options.sample))
    .map(({ mutant }) => mutant)
}

const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')

const measureMap = () => {
  rmSync(MAP, { recursive: true, force: true })
  console.log('Measuring which tests call which functions …')
  const results = `${MAP}.json`
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${results}`]
  spawnSync(process.execPath, [vitest, 'run', '--config', 'test/mutation/vitest.config.ts', ...reporters], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, COVERED_FOLDER: MAP },
  })
  // A test that fails without a planted fault would fail with each of them.
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { name: string; status: string }[]
  }
  for (const { name, status } of testResults) {
    if (status === 'passed') continue
    const test = path.relative(ROOT, name)
    console.log(`${test} fails without a planted fault and is not used.`)
    rmSync(path.join(MAP, `${test.replaceAll('/', '+')}.json`), { force: true })
  }
}

/** The tests that call the function of a mutant: the quickest ones, and the others. */
const testsFor = ({ file, functions }: Planted, map: Covered[]): string[][] => {
  const calls = ({ called }: Covered) =>
    functions.length === 0 ? file in called : called[file]?.includes(functions.at(-1)!)
  // The engine and the sanitizer mostly run in worker processes, whose calls are not in the map.
  const isOfTopic = ({ test }: Covered) =>
    file.startsWith('routers/rendering/') && /^test\/(?:liquid|sanitize)\//.test(test)
  const fitting = map.filter(covered => calls(covered) || isOfTopic(covered)).sort((a, b) => a.ms - b.ms)
  let sum = 0
  let quick = 0
  for (const { ms } of fitting) {
    sum += ms
    if (quick > 0 && sum > QUICK) break
    quick += 1
  }
  const tests = fitting.map(({ test }) => test)
  return [tests.slice(0, quick), tests.slice(quick)].filter(group => group.length > 0)
}

type Outcome = 'passed' | 'failed' | 'hung'

const run = (command: string, args: string[], cwd: string): Promise<Outcome> =>
  new Promise(resolve => {
    const child = spawn(command, args, { cwd, stdio: 'ignore', detached: true })
    let result: 'failed' | 'hung' = 'failed'
    const timer = setTimeout(() => {
      result = 'hung'
      process.kill(-child.pid!, 'SIGKILL')
    }, HANGS_AFTER)
    child.on('exit', code => {
      clearTimeout(timer)
      resolve(code === 0 ? 'passed' : result)
    })
  })

const copyOfCheckout = (): string => {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'mutation-'))
  for (const file of [...git('ls-files'), ...git('ls-files', '--others', '--exclude-standard')])
    if (existsSync(path.join(ROOT, file))) cpSync(path.join(ROOT, file), path.join(copy, file))
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

const files = filesToMutate()
const sources = new Map(files.map(file => [file, readFileSync(path.join(ROOT, file), 'utf8')]))
const mutants = chosen(
  files.flatMap(file => mutantsOf(sources.get(file)!).map(mutant => ({ ...mutant, file }))),
)
console.log(`${mutants.length} faults in ${files.length} files`)
if (options.map || !existsSync(MAP)) measureMap()
const map = readdirSync(MAP).map(name => JSON.parse(readFileSync(path.join(MAP, name), 'utf8')) as Covered)

const copy = copyOfCheckout()
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
process.on('SIGINT', () => process.exit(130))

const counts = { killed: 0, types: 0, survived: 0, untested: 0 }
const deadline = Date.now() + Number(options.minutes) * 60_000
for (const mutant of mutants.slice(Number(options.skip))) {
  if (Date.now() > deadline) break
  const { file, start, end, replacement, line } = mutant
  const source = sources.get(file)!
  const description = `${file}:${line}  ${source.slice(start, end).split('\n')[0]!.slice(0, 60)}  →  ${replacement.split('\n')[0]!.slice(0, 60)}`
  const groups = testsFor(mutant, map)
  writeFileSync(path.join(copy, file), source.slice(0, start) + replacement + source.slice(end))
  let outcome: Outcome = 'passed'
  for (const tests of groups)
    if (outcome === 'passed')
      outcome = await run(
        process.execPath,
        [vitest, 'run', '--config', 'test/vitest.config.ts', '--bail=1', ...tests],
        copy,
      )
  if (outcome !== 'passed') counts.killed += 1
  // A fault that the compiler reports never reaches a test.
  else if ((await run('npx', ['tsc', '--checkers', '1'], copy)) === 'failed') counts.types += 1
  else {
    counts[groups.length === 0 ? 'untested' : 'survived'] += 1
    console.log(`${groups.length === 0 ? 'no test' : 'survived'}  ${description}`)
  }
  writeFileSync(path.join(copy, file), source)
}
const { killed, types, survived, untested } = counts
const all = killed + types + survived + untested
console.log(
  `${all} faults: ${killed} noticed by tests, ${types} by the compiler, ${survived} by neither, ${untested} not called by any test; score ${Math.round(((killed + types) / all) * 100)} %`,
)
