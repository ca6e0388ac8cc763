import { useEffect, useRef } from 'react'
import { PREVIEW_SANDBOX, SCRIPTED_FEATURES } from '../../shared/sandbox.ts'
import type { Picture } from './use-preview.ts'

interface DraftFrameProps {
  picture: Picture
  /** An origin that nothing but drafts is shown on. */
  origin: string
  /** Where the draft's own links lead. */
  site: string
  title: string
  /** How far down it begins, and hears how far down it is. */
  top: { current: number }
  isVisible: boolean
  onShown: () => void
  /** The origin does not answer: a script of an earlier draft holds it. */
  onSilent: () => void
  /** A script of this draft does not end. */
  onEndless: () => void
}

/** Milliseconds in which a frame has to ask for its draft, and to show it. */
const TO_ASK = 6_000
const TO_SHOW = 6_000

/** Milliseconds between two times that a frame is given its draft, however often it asks. */
const BETWEEN = 300

/**
 * A frame that shows one draft. Whatever comes out of it may have been sent by the draft: it is believed nothing but
 * that it wants its draft, has shown it, and how far down it is.
 */
export const DraftFrame = ({ picture, origin, site, title, top, isVisible, ...hears }: DraftFrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const listeners = useRef(hears)
  listeners.current = hears

  useEffect(() => {
    let isAsked = false
    let given = 0
    let giving = 0
    let timer = window.setTimeout(() => listeners.current.onSilent(), TO_ASK)
    const give = () => {
      giving = 0
      given = performance.now()
      const { contentWindow } = frame.current ?? {}
      contentWindow?.postMessage({ html: picture.html, site, top: top.current }, origin)
    }
    const hear = (event: MessageEvent<unknown>) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return
      const { preview, top: down } = (event.data ?? {}) as { preview?: unknown; top?: unknown }
      if (preview === 'scroll' && typeof down === 'number' && down >= 0) top.current = down
      if (preview === 'shown') {
        clearTimeout(timer)
        listeners.current.onShown()
      }
      if (preview !== 'ready' || giving) return
      giving = window.setTimeout(give, Math.max(0, given + BETWEEN - performance.now()))
      if (isAsked) return
      isAsked = true
      clearTimeout(timer)
      timer = window.setTimeout(() => listeners.current.onEndless(), TO_SHOW)
    }
    window.addEventListener('message', hear)
    return () => {
      clearTimeout(timer)
      clearTimeout(giving)
      window.removeEventListener('message', hear)
    }
  }, [picture, origin, site, top])

  return (
    <iframe
      ref={frame}
      title={title}
      src={`${origin}/${picture.kind === 'static' ? 'static' : ''}`}
      sandbox={PREVIEW_SANDBOX}
      allow={SCRIPTED_FEATURES}
      referrerPolicy="no-referrer"
      {...(isVisible ? {} : { 'aria-hidden': true, tabIndex: -1 })}
    />
  )
}
