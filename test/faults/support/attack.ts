import { fork } from 'node:child_process'
import { once } from 'node:events'

/** The service to attack, and how. */
export interface Target {
  port: number
  /** The loopback address to call from. Each address has its own limits. */
  from: string
  /** Factor for the number of requests: `ATTACK_SCALE`, by default 1. */
  scale: number
  /** Headers of the attacker's credential. */
  headers: Record<string, string>
  subdomain: string
  /** Further values that an attack needs, such as a host. */
  facts: Record<string, string>
}

/** Number of requests by the status of the response, or by the error if there was no response. */
export type Outcome = Record<string, number>

let attacks = 0

/** Size of each attack, as a multiple of its size in `.ci/run`. */
export const scale = Number(process.env.ATTACK_SCALE ?? 1)

/**
 * Runs an attack of `test/faults/attacks` in its own process, so that it does not delay the calls that the test
 * measures.
 */
export const attack = async (name: string, target: Partial<Target> & { port: number }): Promise<Outcome> => {
  const file = new URL(`../attacks/${name}.ts`, import.meta.url)
  const child = fork(file, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    env: { PATH: process.env.PATH },
  })
  child.send({
    from: `127.0.4.${++attacks}`,
    scale,
    headers: {},
    subdomain: '',
    facts: {},
    ...target,
  } satisfies Target)
  const [outcome] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`))),
  ])) as [Outcome]
  child.kill('SIGKILL')
  return outcome
}

/** Runs in the attack's process: receives the target and sends the outcome. */
export const runAttack = (work: (target: Target) => Promise<Outcome>): void => {
  process.once('message', (target: Target) => {
    void work(target).then(outcome => process.send!(outcome))
  })
}
