/** Why a file will not be uploaded. */
export interface Refusal {
  /** A message that says why the file will not be uploaded, and what to do. */
  reason: string
  /** Whether a retry of the same file would always fail. */
  isFinal: boolean
}

/** A file in the upload queue. */
export interface Upload {
  id: number
  file: File
  /** The name under which the service stores the file. */
  name: string
  /** The stored file whose content the upload replaces; null for a new file. */
  replaces: { id: string; name: string; size: number } | null
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'refused' | 'cancelled'
  /** The share that has been sent, from 0 to 1. */
  share: number
  /** The error of a failed upload. */
  error?: unknown
  /** Set if the upload was refused before it was sent. */
  refusal?: Refusal
}

export interface UploadTools {
  /** Why an upload must not be sent, or null. @param others other uploads that are waiting or being sent */
  refusalFor: (upload: Upload, others: Upload[]) => Refusal | null
  /** Sends the file. Rejects if that fails or is aborted. */
  send: (upload: Upload, onProgress: (share: number) => void, signal: AbortSignal) => Promise<void>
}

/** Number of files sent at the same time. */
const PARALLEL = 2

export const isRunning = ({ state }: Upload) => state === 'waiting' || state === 'sending'

/** A queue that uploads a few files at a time, reports their progress, and keeps failed ones for a retry. */
export const createUploadQueue = ({ refusalFor, send }: UploadTools) => {
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
      startNext()
    }
  }

  const startNext = () => {
    const free = PARALLEL - controllers.size
    for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, free)) void run(upload)
  }

  /** Marks an upload as waiting or refused. */
  const checked = (upload: Upload, others: Upload[]): Upload => {
    const refusal = refusalFor(upload, others.filter(isRunning))
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
        next.push(checked({ id: ++lastId, file, name, replaces, state: 'waiting', share: 0 }, next))
      set(next)
      startNext()
    },
    retry: (id: number) => {
      const others = uploads.filter(upload => upload.id !== id)
      set(uploads.map(upload => (upload.id === id ? checked(upload, others) : upload)))
      startNext()
    },
    cancel: (id: number) => {
      change(id, { state: 'cancelled' })
      controllers.get(id)?.abort()
    },
    /**
     * Makes every upload that is being sent fail immediately, with `error` as the reason. Call this function when the
     * connection is lost, because the requests themselves would take long to fail.
     */
    interrupt: (error: unknown) => {
      for (const [id, controller] of controllers) {
        change(id, { state: 'failed', error })
        controller.abort()
      }
    },
    /** Removes uploads that are no longer running. */
    clear: () => set(uploads.filter(isRunning)),
    /** Aborts all uploads. Call it when the view is closed. */
    stop: () => {
      uploads = []
      for (const controller of controllers.values()) controller.abort()
    },
  }
}

export type UploadQueue = ReturnType<typeof createUploadQueue>
