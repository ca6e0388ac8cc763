import { useCallback, useEffect, useRef, useState } from 'react'
import type { Outputs } from '../api.ts'
import { failureOf } from '../feedback/failure.ts'

/** What became of a draft: a document, or what is wrong with its template. */
export type Outcome = Outputs['previews']['page']
export type TemplateFault = Extract<Outcome, { outcome: 'error' }>['error']

/** A document to be shown. Another one is another object, even if it says the same. */
export interface Picture {
  html: string
  kind: 'scripted' | 'static'
}

/** What is known of a draft at the moment. */
export interface PreviewState {
  /** The last document that the draft made; it stays while another is made, and while there is an error. */
  picture: Picture | null
  /** What is wrong with the template as it is now. */
  fault: TemplateFault | null
  /** Why the draft could not be evaluated at all. */
  failure: unknown
  isWorking: boolean
}

/** Milliseconds without typing after which the draft is evaluated. */
const PAUSE = 350

/** Milliseconds after which a draft is tried again that the service was too busy for. */
const BUSY = 1500

/**
 * Evaluates a draft some moments after it has changed, one at a time, the newest next.
 *
 * @param evaluate evaluates the draft as it is when it is called
 * @returns what is known; `touch` says that the draft has changed, `again` evaluates it at once
 */
export const usePreview = (evaluate: () => Promise<Outcome>) => {
  const [state, setState] = useState<PreviewState>({
    picture: null,
    fault: null,
    failure: null,
    isWorking: true,
  })
  const current = useRef(evaluate)
  current.current = evaluate
  const runs = useRef({ isBusy: false, isStale: false, timer: 0, isGone: false })

  const go = useCallback(async () => {
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
      next = after(await current.current())
    } catch (failure) {
      if (failureOf(failure).kind === 'busy') run.timer = window.setTimeout(() => void go(), BUSY)
      else next = { failure }
    }
    run.isBusy = false
    if (run.isGone) return
    setState(before => ({ ...before, ...next, isWorking: run.isStale }))
    if (!run.isStale) return
    run.isStale = false
    void go()
  }, [])
  const again = useCallback(() => void go(), [go])

  const touch = useCallback(() => {
    const run = runs.current
    clearTimeout(run.timer)
    run.timer = window.setTimeout(again, PAUSE)
  }, [again])

  useEffect(() => {
    const run = runs.current
    run.isGone = false
    again()
    window.addEventListener('online', again)
    return () => {
      run.isGone = true
      clearTimeout(run.timer)
      window.removeEventListener('online', again)
    }
  }, [again])

  return { ...state, touch, again }
}

const after = (outcome: Outcome): Partial<PreviewState> => {
  if (outcome.outcome === 'superseded') return {}
  if (outcome.outcome === 'error') return { fault: outcome.error, failure: null }
  return { picture: { html: outcome.html, kind: outcome.kind }, fault: null, failure: null }
}
