/** A reason why a command ends, as one sentence for the person. `exitCode` is 1 for problems and 2 for wrong use. */
export class Failure extends Error {
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The service cannot be reached, or refuses everything for now: what failed is worth repeating later. */
export class Away extends Failure {}

/** The credential does not give access, so nothing will work until the person has done something. */
export class NoAccess extends Failure {}

/** Something changed while the command ran, or another command runs: the same command can succeed right away. */
export class Outdated extends Failure {}

/** This computer has no access to the space yet. */
export class NoCredential extends NoAccess {}
