import { api, queries } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'
import {
  type Continued,
  type DraftContent,
  type DraftPlace,
  discardKept,
  keep,
  newDraftId,
  readKept,
} from './draft-place.ts'
import { isGone, markGone, readLocal, removeLocal, writeLocal } from './local-draft.ts'

/** Time in ms after a change until it is in the browser's storage. Text that takes longer to store waits once. */
const LOCAL_AFTER = 100

/** Time in ms without a change until a draft is sent to the service, and the longest time while typing goes on. */
const SEND_AFTER = 1_500
const SEND_WITHIN = 10_000

/** Unsaved changes of the same person to the same item, from another window. */
export interface Rival {
  /** When the service stored these changes. */
  at: string
  /** Why the service refuses to replace them. */
  error: unknown
}

/** The keepers of the open editors. */
export const openKeepers = new Set<{ flush: () => Promise<void> }>()

/**
 * Keeps the draft of one item while it is edited: in the browser at once, and on the service after a pause. Requests
 * are sent one after another, so that a draft never returns after it was discarded.
 */
export class DraftKeeper<F> {
  readonly #place: DraftPlace
  readonly #key: string
  readonly #onFailure: (error: unknown) => void
  readonly #onRival: (rival: Rival | null) => void
  #content: DraftContent<F> | null = null
  /** The last content that was stored or sent, as JSON. */
  #known: string | null
  #kept: string | null
  #isUnsent = false
  readonly #editor = newDraftId()
  #rival: Rival | null = null
  #localTimer: number | undefined
  #sendTimer: number | undefined
  #firstUnsent = 0
  #tail: Promise<unknown> = Promise.resolve()

  /**
   * @param key see `localKey`
   * @param restored the draft that the editor starts with
   * @param onFailure called with the error when the service could not keep the draft, and with null when it could again
   * @param onRival called when another window has kept other changes, and with null when they were replaced
   */
  constructor(
    place: DraftPlace,
    key: string,
    restored: { content: DraftContent<F>; kept: string | null; isSent: boolean } | null,
    onFailure: (error: unknown) => void,
    onRival: (rival: Rival | null) => void,
  ) {
    this.#place = place
    this.#key = key
    this.#onFailure = onFailure
    this.#onRival = onRival
    this.#known = restored && JSON.stringify(restored.content)
    this.#kept = restored?.kept ?? null
    if (restored && !restored.isSent) {
      this.#content = restored.content
      this.#isUnsent = true
      this.#sendSoon()
    }
  }

  /** Notes a change. */
  note(content: DraftContent<F>): void {
    this.#content = content
    this.#localTimer ??= window.setTimeout(() => this.#store(), LOCAL_AFTER)
  }

  /** Deletes the draft here and on the service: it was saved or discarded. */
  forget(): void {
    clearTimeout(this.#localTimer)
    clearTimeout(this.#sendTimer)
    this.#localTimer = undefined
    const isNothingKept = this.#known === null && this.#content === null
    this.#content = null
    this.#known = null
    this.#isUnsent = false
    if (this.#rival) {
      // The service's draft is not the one that was saved or discarded.
      this.#setRival(null)
      removeLocal(this.#key)
      return
    }
    if (isNothingKept) return
    markGone(this.#key)
    void this.#enqueue(async () => {
      // Only after an earlier request has ended is it known whether the service has the draft.
      const wasKept = this.#kept !== null
      if (wasKept) await discardKept(this.#place, this.#continued)
      this.#kept = null
      if (isGone(this.#key)) removeLocal(this.#key)
      if (wasKept) this.#changed()
    }).catch(() => {})
  }

  /** Stores and sends what was not yet. @returns when the service has it; rejects when it could not keep it */
  async flush(): Promise<void> {
    this.#store()
    clearTimeout(this.#sendTimer)
    await this.#send()
  }

  /** Replaces the changes of the other window. */
  async replaceRival(): Promise<void> {
    if (!this.#rival) return
    this.#kept = this.#rival.at
    this.#setRival(null)
    await this.flush()
  }

  #setRival(rival: Rival | null): void {
    this.#rival = rival
    this.#onRival(rival)
  }

  get #continued(): Continued {
    return { editor: this.#editor, continues: this.#kept }
  }

  /** Sends a draft, and notes if another window has kept another one. */
  async #keep(content: DraftContent<F>): Promise<string> {
    if (this.#rival) throw this.#rival.error
    try {
      return await keep(this.#place, content, this.#continued)
    } catch (error) {
      if (failureOf(error).code !== 'precondition_failed') throw error
      const other = await readKept(this.#place)
      if (other && JSON.stringify(other.fields) !== JSON.stringify(content.fields)) {
        this.#setRival({ at: other.updated_at, error })
        throw error
      }
      // The other one was discarded meanwhile, or is the same.
      return keep(this.#place, content, { ...this.#continued, continues: other?.updated_at ?? null })
    }
  }

  #store(): void {
    clearTimeout(this.#localTimer)
    this.#localTimer = undefined
    if (this.#content === null) return
    const json = JSON.stringify(this.#content)
    if (json === this.#known) return
    this.#known = json
    if (!this.#isUnsent) this.#firstUnsent = Date.now()
    this.#isUnsent = true
    this.#write(this.#content)
    this.#sendSoon()
  }

  #write(content: DraftContent<F>): void {
    const draft = { content, at: new Date().toISOString(), kept: this.#kept, isSent: !this.#isUnsent }
    writeLocal(this.#key, draft)
  }

  #sendSoon(): void {
    clearTimeout(this.#sendTimer)
    const left = this.#firstUnsent === 0 ? SEND_WITHIN : this.#firstUnsent + SEND_WITHIN - Date.now()
    this.#sendTimer = window.setTimeout(
      () => void this.#send().catch(() => {}),
      Math.max(0, Math.min(SEND_AFTER, left)),
    )
  }

  #send(): Promise<void> {
    return this.#enqueue(async () => {
      const content = this.#content
      if (content === null || !this.#isUnsent) return
      this.#isUnsent = false
      try {
        this.#kept = await this.#keep(content)
      } catch (error) {
        this.#isUnsent = true
        this.#onFailure(error)
        throw error
      }
      this.#onFailure(null)
      // Unless it was changed or discarded in the meantime, or another window has stored a newer version.
      if (this.#content === content && readLocal(this.#key)?.isSent === false) this.#write(content)
      this.#changed()
    })
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => {})
    return result
  }

  #changed(): void {
    const lists = this.#place.subdomain === null ? api.unsavedPosts.list : api.unsaved.list
    void queries.invalidateQueries(lists.pathFilter())
  }
}
