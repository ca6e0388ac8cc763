import { useCallback, useEffect, useRef, useState } from 'react'
import type { Outputs } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'

/** The result of evaluating a draft: a document or a template error. */
export type Outcome = Outputs['previews']['page']
export type TemplateError = Extract<Outcome, { outcome: 'error' }>['error']
export type Review = Extract<Outcome, { outcome: 'document' }>['review']

/** A place in a page or part. */
export type TemplatePlace = Pick<TemplateError, 'where' | 'line' | 'column'>

/** A document to show. Every evaluation creates a new object, even for the same HTML. */
export interface PreviewDocument {
  html: string
  kind: 'scripted' | 'static'
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
  isWorking: boolean
}

/** Milliseconds after the last change before the draft is evaluated. */
const DEBOUNCE = 350

/** Milliseconds before a retry when the service is busy. */
const BUSY_RETRY = 1500

/**
 * Evaluates a draft shortly after each change, one request at a time. Changes during a request cause another request
 * after it.
 *
 * @param evaluate evaluates the current draft
 * @returns the state; `refreshSoon`, to be called after a change; and `refresh`, which evaluates at once
 */
export const usePreview = (evaluate: () => Promise<Outcome>) => {
  const [state, setState] = useState<PreviewState>({
    document: null,
    error: null,
    review: null,
    failure: null,
    isWorking: true,
  })
  const latest = useRef(evaluate)
  latest.current = evaluate
  const runs = useRef({ isBusy: false, isStale: false, timer: 0, isUnmounted: false })

  const evaluateNow = useCallback(async () => {
    const run = runs.current
    clearTimeout(run.timer)
    if (run.isBusy) {
      run.isStale = true
      return
    }
    run.isBusy = true
    setState(before => ({ ...before, isWorking: true }))
    let next: Partial<PreviewState> = {}
    try {
      next = stateAfter(await latest.current())
    } catch (failure) {
      if (failureOf(failure).kind === 'busy')
        run.timer = window.setTimeout(() => void evaluateNow(), BUSY_RETRY)
      else next = { failure }
    }
    run.isBusy = false
    if (run.isUnmounted) return
    setState(before => ({ ...before, ...next, isWorking: run.isStale }))
    if (!run.isStale) return
    run.isStale = false
    void evaluateNow()
  }, [])
  const refresh = useCallback(() => void evaluateNow(), [evaluateNow])

  const refreshSoon = useCallback(() => {
    const run = runs.current
    clearTimeout(run.timer)
    run.timer = window.setTimeout(refresh, DEBOUNCE)
  }, [refresh])

  useEffect(() => {
    const run = runs.current
    run.isUnmounted = false
    refresh()
    window.addEventListener('online', refresh)
    return () => {
      run.isUnmounted = true
      clearTimeout(run.timer)
      window.removeEventListener('online', refresh)
    }
  }, [refresh])

  return { ...state, refreshSoon, refresh }
}

const stateAfter = (outcome: Outcome): Partial<PreviewState> => {
  if (outcome.outcome === 'superseded') return {}
  if (outcome.outcome === 'error') return { error: outcome.error, review: null, failure: null }
  const { html, kind, review } = outcome
  return { document: { html, kind }, error: null, review, failure: null }
}
