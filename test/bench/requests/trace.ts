import { recordStatements } from '../../support/statements.ts'

/** The statements and round trips to the database that a request caused. */
export interface Trace {
  statements: string[]
  roundTrips: number
}

const shorten = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('"', '').trim().slice(0, 100)

/** Starts to record the statements of this process. @returns a function that ends this and returns the trace */
export const traceStatements = (): (() => Trace) => {
  const end = recordStatements()
  return () => {
    const { statements, roundTrips } = end()
    return { statements: statements.map(({ text }) => shorten(text)), roundTrips }
  }
}
