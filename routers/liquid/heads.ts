import type { HeadOutcome, RenderRequest } from '../core/renderer.ts'
import { WeightedCache } from './engine/lru.ts'

/** Pages whose heads are remembered. */
const KEPT = 2048

/**
 * What pages say about themselves, each at one revision of its space. Only what nothing but a write can change is
 * kept: no failures, which time may mend, and no pages that ask the clock or chance.
 */
export class Heads {
  private readonly kept = new WeightedCache<HeadOutcome>(KEPT)

  find(request: RenderRequest): HeadOutcome | undefined {
    return this.kept.get(keyOf(request))
  }

  /** Takes note of how an evaluation ended. */
  note(request: RenderRequest, outcome: HeadOutcome): void {
    const key = keyOf(request)
    if (outcome.ok && outcome.isLasting) {
      const { title, description } = outcome
      this.kept.set(key, { ok: true, isLasting: true, title, description }, 1)
    } else this.kept.delete(key)
  }
}

const keyOf = ({ space, revision, page }: RenderRequest) => `${page.id}\n${revision}\n${space}`
