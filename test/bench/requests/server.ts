import { memoryUsage } from 'node:process'
import { startProfile } from './start-profile.ts'
import { type Trace, traceStatements } from './trace.ts'

/** The message that a measured server sends once it accepts requests. */
export interface Ready {
  port: number
  key: string
  pageId: string
}

/** The reply of a measured server to each question that its parent process can send. */
export interface Answers {
  /** CPU time of the process in µs. */
  cpu: number
  /** Resident memory in MB. */
  memory: number
  trace: null
  traced: Trace
  profile: null
  /** The CPU profile since the last `profile` question, as JSON that browser developer tools can open. */
  profiled: string
}

/** Reports that the server is up, answers its parent's questions, and exits when the parent exits. */
export const report = (ready: Ready, stop: () => Promise<unknown>) => {
  let endTrace: (() => Trace) | undefined
  let endProfile: (() => Promise<string>) | undefined
  const answers: { [Question in keyof Answers]: () => Answers[Question] | Promise<Answers[Question]> } = {
    cpu: () => {
      const { user, system } = process.cpuUsage()
      return user + system
    },
    memory: () => memoryUsage.rss() / 1e6,
    trace: () => {
      endTrace = traceStatements()
      return null
    },
    traced: () => endTrace!(),
    profile: async () => {
      endProfile = await startProfile()
      return null
    },
    profiled: () => endProfile!(),
  }
  const answer = async (question: keyof Answers) => void process.send?.(await answers[question]())
  process.on('message', (question: keyof Answers) => void answer(question))
  process.on('disconnect', () => void stop().then(() => process.exit(0)))
  process.send?.(ready)
}
