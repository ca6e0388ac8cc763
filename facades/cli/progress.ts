/** How often progress is shown, and so how long a command is silent at first, in ms. */
const INTERVAL = 1_000

/** Shows on one line of a terminal what a command is doing, if that takes longer than a second. */
export class Progress {
  readonly #write: (text: string) => void
  readonly #timer: NodeJS.Timeout | undefined
  #step = ''
  #isShown = false

  /** @param isTerminal progress is shown only there */
  constructor(write: (text: string) => void, isTerminal: boolean) {
    this.#write = write
    if (isTerminal) this.#timer = setInterval(() => this.#show(), INTERVAL).unref()
  }

  /** Notes what the command is doing now. */
  readonly step = (step: string): void => {
    this.#step = step
  }

  /** Removes the line, before other output. */
  readonly clear = (): void => {
    if (this.#isShown) this.#write('\r\u001B[K')
    this.#isShown = false
  }

  /** Removes the line for good. */
  readonly end = (): void => {
    clearInterval(this.#timer)
    this.clear()
  }

  #show(): void {
    if (this.#step === '') return
    this.#write(`\r\u001B[K${this.#step} …`)
    this.#isShown = true
  }
}
