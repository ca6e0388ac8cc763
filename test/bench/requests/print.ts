import type { Figures, Run, Spread } from './compare.ts'
import type { Starts } from './starts.ts'

const spread = ({ median, lowest, highest }: Spread) =>
  `${median.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`

const average = (runs: Run[], of: (run: Run) => number) =>
  runs.reduce((sum, run) => sum + of(run), 0) / runs.length

const against = (value: Spread, goal: number | undefined, isMet: (value: number, goal: number) => boolean) =>
  goal === undefined
    ? spread(value)
    : `${spread(value)}, goal ${goal}${isMet(value.median, goal) ? '' : ' MISSED'}`

/** Prints a scenario: the absolute figures of both servers, then the ratios beside their goals. */
export const print = ({ name, goals, ours, other, rate, cpu, database }: Figures): void => {
  const line = (runs: Run[]) =>
    [
      `${average(runs, run => run.perSecond).toFixed(0)}/s`,
      `p50 ${average(runs, run => run.p50).toFixed(0)} ms, p99 ${average(runs, run => run.p99).toFixed(0)} ms`,
      `CPU ${average(runs, run => run.cpu).toFixed(0)} + ${average(runs, run => run.database).toFixed(0)} µs`,
    ].join(', ')
  console.log(`${name}\n  ours  ${line(ours)}\n  other ${line(other)}`)
  const atLeast = (value: number, goal: number) => value >= goal
  const atMost = (value: number, goal: number) => value <= goal
  console.log(
    `  rate ${against(rate, goals.rate, atLeast)}; CPU ${against(cpu, goals.cpu, atMost)}; PostgreSQL ${against(database, goals.database, atMost)}`,
  )
}

/** Prints the statements of a scenario's requests. */
export const printTrace = ({ traces }: Figures): void => {
  for (const { request, trace } of traces) {
    console.log(`${request}: ${trace.statements.length} statements in ${trace.roundTrips} round trips`)
    // A large file is read with a hundred equal statements.
    const equal = Map.groupBy(trace.statements, statement => statement)
    for (const [statement, { length }] of equal)
      console.log(`  ${statement}${length > 1 ? ` × ${length}` : ''}`)
  }
}

/** Goals: maximum seconds of a warm start, and maximum memory of the idle main process in MB. */
const START_GOALS = { embedded: 1.5, own: 0.7, memory: 120 }

/** Prints how long starts took, and the memory of the idle service. */
export const printStarts = ({ embedded, own, memory }: Starts): void => {
  const line = (name: string, value: number, goal: number, details: string) =>
    console.log(`${name}: ${value} (${details}), goal ${goal}${value <= goal ? '' : ' MISSED'}`)
  const seconds = (name: string, values: number[], goal: number) => {
    const sorted = values.map(value => value.toFixed(2)).toSorted()
    line(name, Number(sorted[sorted.length >> 1]), goal, sorted.join(', '))
  }
  seconds('npm start, warm, embedded database, s', embedded, START_GOALS.embedded)
  seconds('npm start, warm, own database, s', own, START_GOALS.own)
  line(
    'Memory of the main process at rest, MB',
    memory.main,
    START_GOALS.memory,
    `workers ${memory.workers.join(', ')}`,
  )
}
