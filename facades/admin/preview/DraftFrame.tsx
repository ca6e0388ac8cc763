import { useEffect, useRef } from 'react'
import { EMBEDDED_SANDBOX, SCRIPTED_FEATURES } from '../../shared/sandbox.ts'
import { type MarkMessage, readMark } from './mark-message.ts'
import type { PreviewDocument } from './use-preview.ts'

interface DraftFrameProps {
  document: PreviewDocument
  /** An origin that serves only draft previews. */
  origin: string
  /** The site to which relative links in the draft refer. */
  site: string
  title: string
  /** Slugs of the pages of the site that can be edited. */
  pages: readonly string[]
  /** The scroll position in CSS pixels; restored in the new frame and updated while it scrolls. */
  scrollTop: { current: number }
  isVisible: boolean
  /** The mark whose place the frame reports; null for none. */
  tracked: TrackedMark | null
  /** Called at most once per frame and kind of message. The draft can forge the number and the rectangle. */
  onMark: (message: MarkMessage) => void
  onShown: () => void
  /** Called when the draft reports a click on a link to one of `pages`. The draft can forge the report. */
  onLink: (page: string) => void
  /** Called when the origin does not respond: a script of an earlier draft blocks the process of the origin. */
  onUnresponsive: () => void
  /** Called when a script of this draft does not finish. */
  onEndless: () => void
}

/** A mark whose place the frame reports. */
export interface TrackedMark {
  mark: number
  /** Whether the frame scrolls to it. */
  reveal: boolean
}

/** Time in ms within which the frame must ask for its draft. */
const READY_TIMEOUT = 6_000

/** Time in ms within which the frame must show its draft. A slow device needs some seconds for a long page. */
const SHOW_TIMEOUT = 15_000

/** Minimum milliseconds between two sends of a draft, however often the frame asks. */
const SEND_INTERVAL = 300

/** Minimum milliseconds between two links that the draft reports. */
const LINK_INTERVAL = 300

/**
 * A frame that shows one draft. The draft can forge any message from the frame, so only five kinds are accepted: that
 * the frame is ready for a draft, that the draft is shown, its scroll position, that a link to a page was clicked, and
 * where an element is that the person points at or clicks.
 */
export const DraftFrame = ({
  document,
  origin,
  site,
  title,
  pages,
  scrollTop,
  isVisible,
  tracked,
  ...callbacks
}: DraftFrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef({ pages, ...callbacks })
  latest.current = { pages, ...callbacks }

  useEffect(() => {
    let wasReady = false
    let sentAt = 0
    let pendingSend = 0
    let linkedAt = Number.NEGATIVE_INFINITY
    let timer = window.setTimeout(() => latest.current.onUnresponsive(), READY_TIMEOUT)
    // Only the latest message of each kind counts, so that a draft that sends many cannot keep the dashboard busy.
    const marked = new Map<MarkMessage['on'], MarkMessage>()
    let pendingMarks = 0
    const noteMark = (message: MarkMessage) => {
      marked.set(message.on, message)
      pendingMarks ||= requestAnimationFrame(() => {
        pendingMarks = 0
        for (const message of marked.values()) latest.current.onMark(message)
        marked.clear()
      })
    }
    const send = () => {
      pendingSend = 0
      sentAt = performance.now()
      const { contentWindow } = frame.current ?? {}
      const { pages } = latest.current
      contentWindow?.postMessage(
        { html: document.html, site, pages, top: scrollTop.current, marked: document.marks !== undefined },
        origin,
      )
    }
    const onMessage = (event: MessageEvent<unknown>) => {
      if (event.source !== frame.current?.contentWindow || event.origin !== origin) return
      const { preview, top, page } = (event.data ?? {}) as {
        preview?: unknown
        top?: unknown
        page?: unknown
      }
      if (preview === 'scroll' && typeof top === 'number' && top >= 0) scrollTop.current = top
      if (preview === 'link' && performance.now() - linkedAt >= LINK_INTERVAL) {
        linkedAt = performance.now()
        const known = latest.current.pages.find(slug => slug === page)
        if (known !== undefined) latest.current.onLink(known)
      }
      if (preview === 'mark') {
        const message = readMark(event.data, document.marks?.elements.length ?? 0)
        if (message && (message.on !== 'pick' || isClicked(frame.current))) noteMark(message)
      }
      if (preview === 'shown') {
        clearTimeout(timer)
        latest.current.onShown()
      }
      if (preview !== 'ready' || pendingSend) return
      pendingSend = window.setTimeout(send, Math.max(0, sentAt + SEND_INTERVAL - performance.now()))
      if (wasReady) return
      wasReady = true
      clearTimeout(timer)
      timer = window.setTimeout(() => latest.current.onEndless(), SHOW_TIMEOUT)
    }
    window.addEventListener('message', onMessage)
    return () => {
      clearTimeout(timer)
      clearTimeout(pendingSend)
      cancelAnimationFrame(pendingMarks)
      // A click still counts if the next draft is shown at the same moment.
      const picked = marked.get('pick')
      if (picked) latest.current.onMark(picked)
      window.removeEventListener('message', onMessage)
    }
  }, [document, origin, site, scrollTop])

  useEffect(() => {
    if (!isVisible || !document.marks) return
    const { mark: track, reveal } = tracked ?? { mark: null, reveal: false }
    frame.current?.contentWindow?.postMessage({ track, reveal }, origin)
  }, [isVisible, document, tracked, origin])

  return (
    <iframe
      ref={frame}
      title={title}
      src={`${origin}/${document.kind === 'static' ? 'static' : ''}`}
      sandbox={EMBEDDED_SANDBOX}
      allow={SCRIPTED_FEATURES}
      referrerPolicy="no-referrer"
      {...(isVisible ? {} : { 'aria-hidden': true, tabIndex: -1 })}
    />
  )
}

/**
 * Whether a click that a draft reports can be one: a person's click moves the focus into the frame. So a script in the
 * draft cannot select anything while the person types in the editor.
 */
const isClicked = (frame: HTMLIFrameElement | null) =>
  document.activeElement === frame && navigator.userActivation.isActive
