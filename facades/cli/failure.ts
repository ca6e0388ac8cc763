/** A reason why a command ends, as one sentence for the person. `exitCode` is 1 for problems and 2 for wrong use. */
export class Failure extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}
