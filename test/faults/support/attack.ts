import { fork } from 'node:child_process'
import { once } from 'node:events'

/** What an attack needs to know. */
export interface Target {
  port: number
  /** The loopback address to call from. Limits count each apart. */
  from: string
  /** Multiplies the number of requests; `ATTACK_SCALE`, default 1. */
  scale: number
  /** Headers of the attacker's credential. */
  headers: Record<string, string>
  subdomain: string
  /** Other facts of the attack. */
  facts: Record<string, string>
}

/** Number of responses by status, or by the error that took the place of one. */
export type Outcome = Record<string, number>

let attacks = 0

/** How much larger than in the gate each attack is. */
export const scale = Number(process.env.ATTACK_SCALE ?? 1)

/** Runs an attack of `test/faults/attacks` in a process of its own, so that it does not delay what others measure. */
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

/** The other end, in the attack's process. */
export const runAttack = (work: (target: Target) => Promise<Outcome>): void => {
  process.once('message', (target: Target) => {
    void work(target).then(outcome => process.send!(outcome))
  })
}
