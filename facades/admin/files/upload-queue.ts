/** Why a file is not even sent. */
export interface Refusal {
  /** In words, with what to do. */
  reason: string
  /** Whether nothing but another file would help. */
  isFinal: boolean
}

/** A file on its way to the space. */
export interface Upload {
  id: number
  file: File
  /** What it will be called. */
  name: string
  /** The stored file whose content it replaces; null for a new one. */
  replaces: { id: string; name: string; size: number } | null
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused' | 'cancelled'
  /** How much has been sent, from 0 to 1. */
  share: number
  /** Why it failed. */
  error?: unknown
  /** Why it was not sent at all. */
  refusal?: Refusal
}

export interface UploadTools {
  /** Why an upload should not even be sent, or null. `others` are sent before it. */
  refusalOf: (upload: Upload, others: Upload[]) => Refusal | null
  /** Sends it; rejects when that fails or `signal` ends it. */
  send: (upload: Upload, onProgress: (share: number) => void, signal: AbortSignal) => Promise<void>
}

/** Files that are sent at the same time; more would only make each one slower. */
const PARALLEL = 2

export const isRunning = ({ state }: Upload) => state === 'waiting' || state === 'sending'

/** Sends files a few at a time, tells how far each is, and keeps what failed until it is tried again or let go. */
export const createUploadQueue = ({ refusalOf, send }: UploadTools) => {
  let uploads: Upload[] = []
  let lastId = 0
  const listeners = new Set<() => void>()
  const controllers = new Map<number, AbortController>()

  const set = (next: Upload[]) => {
    uploads = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, part: Partial<Upload>) =>
    set(uploads.map(upload => (upload.id === id ? { ...upload, ...part } : upload)))

  const run = async (upload: Upload) => {
    const controller = new AbortController()
    controllers.set(upload.id, controller)
    change(upload.id, { state: 'sending', share: 0 })
    try {
      await send(upload, share => change(upload.id, { share }), controller.signal)
      change(upload.id, { state: 'done', share: 1 })
    } catch (error) {
      if (!controller.signal.aborted) change(upload.id, { state: 'failed', error })
    } finally {
      controllers.delete(upload.id)
      advance()
    }
  }

  const advance = () => {
    const free = PARALLEL - controllers.size
    for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, free)) void run(upload)
  }

  /** An upload that waits for its turn, or is refused at once. */
  const judged = (upload: Upload, others: Upload[]): Upload => {
    const refusal = refusalOf(upload, others.filter(isRunning))
    const { error: _, refusal: __, ...rest } = upload
    return refusal ? { ...rest, state: 'refused', refusal } : { ...rest, state: 'waiting', share: 0 }
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    snapshot: () => uploads,
    add: (files: { file: File; name: string; replaces?: Upload['replaces'] }[]) => {
      const next = [...uploads]
      for (const { file, name, replaces = null } of files)
        next.push(judged({ id: ++lastId, file, name, replaces, state: 'waiting', share: 0 }, next))
      set(next)
      advance()
    },
    retry: (id: number) => {
      const others = uploads.filter(upload => upload.id !== id)
      set(uploads.map(upload => (upload.id === id ? judged(upload, others) : upload)))
      advance()
    },
    cancel: (id: number) => {
      change(id, { state: 'cancelled' })
      controllers.get(id)?.abort()
    },
    /** Ends what is being sent as failed, because of `error`. Without it, a lost connection is noticed late. */
    interrupt: (error: unknown) => {
      for (const [id, controller] of controllers) {
        change(id, { state: 'failed', error })
        controller.abort()
      }
    },
    /** Takes away what is no longer under way. */
    clear: () => set(uploads.filter(isRunning)),
    /** Ends everything, when the view goes. */
    stop: () => {
      uploads = []
      for (const controller of controllers.values()) controller.abort()
    },
  }
}

export type UploadQueue = ReturnType<typeof createUploadQueue>
