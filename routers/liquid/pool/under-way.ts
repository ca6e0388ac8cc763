import type { RenderOutcome, RenderRequest } from '../../core/renderer.ts'

/**
 * Evaluations that have not ended yet. Whoever asks for the same page of the same revision in the meantime gets the
 * same result, however many they are.
 */
export class UnderWay {
  private readonly results = new Map<string, Promise<RenderOutcome>>()

  /** @param headOnly whether the document is not wanted; the result of one who wants it will do then */
  find(request: RenderRequest, headOnly: boolean): Promise<RenderOutcome> | undefined {
    const whole = this.results.get(keyOf(request, false))
    return whole ?? (headOnly ? this.results.get(keyOf(request, true)) : undefined)
  }

  async share(
    request: RenderRequest,
    headOnly: boolean,
    evaluate: () => Promise<RenderOutcome>,
  ): Promise<RenderOutcome> {
    const key = keyOf(request, headOnly)
    const result = evaluate()
    this.results.set(key, result)
    try {
      return await result
    } finally {
      this.results.delete(key)
    }
  }
}

const keyOf = ({ space, revision, page }: RenderRequest, headOnly: boolean) =>
  `${page.id}\n${revision}\n${headOnly}\n${space}`
