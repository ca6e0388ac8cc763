import { useCallback, useEffect, useRef, useState } from 'react'
import type { Outputs } from '../api.ts'
import { failureOf } from '../ui/failure.ts'

/** The result of evaluating a draft: a document or a template error. */
export type Outcome = Outputs['previews']['page']
export type TemplateError = Extract<Outcome, { outcome: 'error' }>['error']
export type PageMarks = NonNullable<Extract<Outcome, { outcome: 'document' }>['marks']>
export type Review = Extract<Outcome, { outcome: 'document' }>['review']

/** A place in a page, part or record. */
export type TemplatePlace = Pick<TemplateError, 'line' | 'column'> & {
  where: NonNullable<Review['links'][number]['where']>
}

/** A document to show. Every evaluation creates a new object, even for the same HTML. */
export interface PreviewDocument {
  html: string
  kind: 'scripted' | 'static'
  /** Where its elements are written; undefined if that is not known. */
  marks?: PageMarks | undefined
  /** The open bodies that were evaluated, by their keys. Places in `marks` are offsets in them. */
  written?: ReadonlyMap<string, string> | undefined
}

/** The current state of a preview. */
export interface PreviewState {
  /** The last document that was evaluated without an error. */
  document: PreviewDocument | null
  /** What is wrong with the current template. */
  error: TemplateError | null
  /** What the author should know about the current template; null while it has an error. */
  review: Review | null
  /** Why the request failed. */
  failure: unknown
  /** Whether an evaluation of the current template is pending or running. */
  isWorking: boolean
  /** Whether an error in the current template is not shown yet, because the person is typing where the error is. */
  isErrorHeld: boolean
}

/**
 * How long to wait after the last change before evaluating the draft, in ms: at least `PAUSE`, at most
 * `MAX_PAUSE`. Between these limits, the wait is as long as the last evaluation took, so that evaluations take
 * at most half of the time.
 */
const PAUSE = 150
const MAX_PAUSE = 1_000

/** How long to hold back an error at the position where the person is typing, in ms. */
const ERROR_PAUSE = 1_500

/** Milliseconds before a retry when the service is busy, and the number of retries. */
const BUSY_RETRY = 1_500
const BUSY_RETRIES = 5

/** Milliseconds after which a request without a response has failed. */
const TIMEOUT = 30_000

/**
 * Evaluates a draft shortly after each change, one request at a time. If the draft changes during a request, another
 * request follows.
 *
 * @param evaluate a function that evaluates the current draft
 * @param isTypedAt a function that returns whether the person is still typing at the position of an error. If so, the
 * text at that position may be unfinished
 * @returns the state; `refreshSoon`, to be called after a change; `refresh`, which evaluates at once; and
 * `cursorMoved`, to be called when the cursor has moved
 */
export const usePreview = (
  evaluate: (signal: AbortSignal) => Promise<Outcome & { written?: ReadonlyMap<string, string> }>,
  isTypedAt: (error: TemplateError) => boolean = () => false,
) => {
  const [state, setState] = useState<PreviewState>({
    document: null,
    error: null,
    review: null,
    failure: null,
    isWorking: true,
    isErrorHeld: false,
  })
  const latest = useRef({ evaluate, isTypedAt })
  latest.current = { evaluate, isTypedAt }
  const runs = useRef({
    isBusy: false,
    /**
     * Whether another evaluation must follow, because the draft has changed since the last one started, or
     * because the last one must be repeated.
     */
    isDue: false,
    /** Whether the draft has changed since the last call of `refresh`. */
    isTyped: false,
    isUnmounted: false,
    hasError: false,
    held: null as TemplateError | null,
    timer: 0,
    errorTimer: 0,
    retries: 0,
    /** Duration of the last evaluation in ms. */
    took: 0,
    request: new AbortController(),
  })

  const showError = useCallback((error: TemplateError) => {
    const run = runs.current
    clearTimeout(run.errorTimer)
    run.held = null
    run.hasError = true
    setState(before => ({ ...before, error, review: null, failure: null, isErrorHeld: false }))
  }, [])

  const holdError = useCallback(
    (error: TemplateError) => {
      const run = runs.current
      clearTimeout(run.errorTimer)
      run.held = error
      run.errorTimer = window.setTimeout(() => showError(error), ERROR_PAUSE)
      setState(before => ({ ...before, failure: null, isErrorHeld: true }))
    },
    [showError],
  )

  const evaluateNow = useCallback(async () => {
    const run = runs.current
    clearTimeout(run.timer)
    run.timer = 0
    if (run.isBusy) {
      run.isDue = true
      return
    }
    Object.assign(run, { isBusy: true, isDue: false, request: new AbortController() })
    setState(before => ({ ...before, isWorking: true }))
    const startedAt = performance.now()
    const next = await latest.current
      .evaluate(AbortSignal.any([run.request.signal, AbortSignal.timeout(TIMEOUT)]))
      .catch((failure: unknown) => ({ outcome: 'failure' as const, failure }))
    run.took = performance.now() - startedAt
    run.isBusy = false
    if (run.isUnmounted) return
    const isRetried =
      next.outcome === 'failure' && failureOf(next.failure).kind === 'busy' && run.retries < BUSY_RETRIES
    run.retries = isRetried ? run.retries + 1 : 0
    if (isRetried) {
      run.isDue = true
      run.timer ||= window.setTimeout(() => void evaluateNow(), BUSY_RETRY)
    } else if (next.outcome === 'failure') {
      setState(before => ({ ...before, failure: next.failure, isErrorHeld: false }))
    } else if (next.outcome === 'error') {
      // Hold back an error at the position where the person is typing. But if an error is already shown, replace it at
      // once: that does not distract the person.
      const isHeld = run.isTyped && !run.hasError && latest.current.isTypedAt(next.error)
      if (isHeld) holdError(next.error)
      else showError(next.error)
    } else if (next.outcome === 'document') {
      const { html, kind, review, marks, written } = next
      run.hasError = false
      setState(before => ({
        ...before,
        document: { html, kind, marks, written },
        error: null,
        review,
        failure: null,
        isErrorHeld: false,
      }))
    }
    setState(before => ({ ...before, isWorking: run.isDue }))
    if (run.isDue && !run.timer) void evaluateNow()
  }, [holdError, showError])

  const refresh = useCallback(() => {
    runs.current.isTyped = false
    void evaluateNow()
  }, [evaluateNow])

  const refreshSoon = useCallback(() => {
    const run = runs.current
    clearTimeout(run.timer)
    clearTimeout(run.errorTimer)
    Object.assign(run, { isDue: true, isTyped: true, held: null })
    const pause = Math.min(Math.max(PAUSE, run.took), MAX_PAUSE)
    run.timer = window.setTimeout(() => void evaluateNow(), pause)
    setState(before => (before.isWorking ? before : { ...before, isWorking: true }))
  }, [evaluateNow])

  const cursorMoved = useCallback(() => {
    const { held } = runs.current
    if (held && !latest.current.isTypedAt(held)) showError(held)
  }, [showError])

  useEffect(() => {
    const run = runs.current
    run.isUnmounted = false
    refresh()
    // Abort at once when the connection is lost: the request itself would take long to fail.
    const abort = () => run.request.abort()
    window.addEventListener('online', refresh)
    window.addEventListener('offline', abort)
    return () => {
      run.isUnmounted = true
      clearTimeout(run.timer)
      clearTimeout(run.errorTimer)
      window.removeEventListener('online', refresh)
      window.removeEventListener('offline', abort)
    }
  }, [refresh])

  return { ...state, refreshSoon, refresh, cursorMoved }
}
