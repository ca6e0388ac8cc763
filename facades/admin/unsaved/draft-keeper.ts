import { api, queryClient } from '../api.ts'
import { failureOf } from '../ui/failure.ts'
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

/** How long to wait after a change before storing the draft in the browser, in ms. */
const LOCAL_AFTER = 100

/**
 * How long to wait after the last change before sending a draft to the service, and the longest wait while typing
 * continues, in ms.
 */
const SEND_AFTER = 1_500
const SEND_WITHIN = 10_000

/** Unsaved changes of the same person to the same item, from another window. */
export interface Rival {
  /** When the service stored the other window's changes. */
  at: string
  /** The error with which the service refused to replace the other window's changes. */
  error: unknown
}

/** The keepers of all open editors, so that signing out can send unsaved changes first. */
export const openKeepers = new Set<{ flush: () => Promise<void> }>()

/**
 * Keeps the draft of one item while it is edited: in the browser at once, and on the service after a pause. Requests
 * are sent one after another. Otherwise, a late request could bring back a discarded draft.
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
   * @param onFailure called after each attempt to send the draft: with the error, or with null if the service kept the
   * draft
   * @param onRival called when another window has kept different changes, and with null when that conflict has ended
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

  /** Records a change. */
  note(content: DraftContent<F>): void {
    this.#content = content
    this.#localTimer ??= window.setTimeout(() => this.#store(), LOCAL_AFTER)
  }

  /**
   * Deletes the draft in the browser and on the service, after it was saved or discarded.
   *
   * @param savedAs the id that the draft of a new item got when it was saved
   */
  forget(savedAs?: string): void {
    clearTimeout(this.#localTimer)
    clearTimeout(this.#sendTimer)
    this.#localTimer = undefined
    const isNothingKept = this.#known === null && this.#content === null
    this.#content = null
    this.#known = null
    this.#isUnsent = false
    if (this.#rival) {
      // The draft on the service belongs to the other window, so don't delete it.
      this.#setRival(null)
      removeLocal(this.#key)
      return
    }
    if (isNothingKept) return
    markGone(this.#key)
    void this.#enqueue(async () => {
      // This runs after earlier requests have ended: only then is it known whether the service has the draft.
      const wasKept = this.#kept !== null
      if (wasKept) await discardKept(this.#place, this.#continued, savedAs)
      this.#kept = null
      if (isGone(this.#key)) removeLocal(this.#key)
      if (wasKept) this.#changed()
    }).catch(() => {})
  }

  /**
   * Stores and sends unsent changes.
   *
   * @returns a promise that resolves when the service has them, and rejects if it can't keep them
   */
  async flush(): Promise<void> {
    this.#store()
    clearTimeout(this.#sendTimer)
    await this.#send()
  }

  /** Replaces the other window's draft with the draft of this window. */
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

  /** Sends a draft. If another window has kept a different one, records that window as the rival. */
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
      // The other window has discarded its draft in the meantime, or both drafts have the same fields.
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
    const at = new Date().toISOString()
    writeLocal(this.#key, { content, at, kept: this.#kept, isSent: !this.#isUnsent, editor: this.#editor })
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
      // Mark the stored draft as sent, unless it was changed, discarded or replaced by another window in the meantime.
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
    const { list } = this.#place.subdomain === null ? api.unsavedPosts : api.unsaved
    void queryClient.invalidateQueries(list.pathFilter())
  }
}
