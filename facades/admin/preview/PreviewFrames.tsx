import { Alert, Button, Center, Loader } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconPlayerPause, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { rpc } from '../api.ts'
import { FailureView } from '../ui/FailureView.tsx'
import { DraftFrame, type TrackedMark } from './DraftFrame.tsx'
import type { MarkMessage } from './mark-message.ts'
import classes from './Preview.module.css'
import type { PreviewDocument } from './use-preview.ts'

interface PreviewFramesProps {
  document: PreviewDocument | null
  /** The site to which relative links in the draft refer. */
  site: string
  title: string
  /** Slugs of the pages of the site that can be edited; undefined while they load. */
  pages: readonly string[] | undefined
  /** Called when the draft reports a click on a link to one of `pages`. */
  onLink: (page: string) => void
  tracked: TrackedMark | null
  /** Called when the draft that is shown reports where a mark is. */
  onMark: ((message: MarkMessage, document: PreviewDocument) => void) | undefined
  /** Returns what is drawn over the draft that is shown, in its coordinates, which are scaled. */
  overlay: ((scale: number) => ReactNode) | undefined
  /** Viewport width of the draft in CSS pixels; null for the width of the pane. */
  width: number | null
  /** Called when a document is shown (`isShown`) or cannot be shown. */
  onSettled: (document: PreviewDocument | null, isShown: boolean) => void
}

/** Number of origins to try before the preview is reported as unreachable. */
const ATTEMPTS = 5

/** Milliseconds after which a request for an origin counts as failed. */
const TIMEOUT = 30_000

interface Frame {
  id: number
  document: PreviewDocument
  origin: string
}

/** Shows each draft in a new frame. As soon as the draft has rendered, the new frame replaces the previous one. */
export const PreviewFrames = ({
  document,
  site,
  title,
  pages,
  onLink,
  tracked,
  onMark,
  overlay,
  width,
  onSettled,
}: PreviewFramesProps) => {
  const id = useId()
  // An endless script blocks the process of its origin, so the next attempt gets a new origin.
  const [attempt, setAttempt] = useState(0)
  const origin = useQuery({
    queryKey: ['preview origin', id, attempt],
    queryFn: ({ signal }) =>
      rpc.previews.origin.query(undefined, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      }),
    // Each answer is another origin, in which the draft would be loaded again.
    staleTime: 'static',
    gcTime: 0,
  })
  const [shown, setShown] = useState<Frame | null>(null)
  const [loading, setLoading] = useState<Frame | null>(null)
  const [isStopped, setIsStopped] = useState(false)
  // Number of origins in a row that did not respond.
  const [failures, setFailures] = useState(0)
  const isUnreachable = failures >= ATTEMPTS
  const scrollTop = useRef(0)
  const lastFrameId = useRef(0)
  const { ref, width: paneWidth, height } = useElementSize()

  const arePagesKnown = pages !== undefined
  const stoppedDocument = useRef<PreviewDocument>(null)
  useEffect(() => {
    if (!document || !origin.data || !arePagesKnown || document === stoppedDocument.current) return
    lastFrameId.current += 1
    setIsStopped(false)
    setFailures(before => (before < ATTEMPTS ? before : 0))
    setLoading({ id: lastFrameId.current, document, origin: origin.data })
  }, [document, origin.data, arePagesKnown])

  useEffect(() => {
    if (origin.isError) onSettled(document, false)
  }, [origin.isError, document, onSettled])

  const scale = width === null || paneWidth === 0 ? 1 : Math.min(1, paneWidth / width)
  const size =
    width === null
      ? {}
      : {
          width,
          height: height / scale,
          transform: `scale(${scale})`,
          left: Math.max(0, (paneWidth - width * scale) / 2),
        }
  // Over a draft that is shown, someone may be typing.
  if (origin.isError && !shown)
    return <FailureView error={origin.error} retry={() => void origin.refetch()} />
  return (
    <div
      ref={ref}
      className={classes.window}
      data-narrow={width !== null && width < paneWidth ? true : undefined}
    >
      {[shown, loading].map(
        frame =>
          frame && (
            <div
              key={frame.id}
              className={classes.frame}
              style={size}
              data-loading={frame === loading || undefined}
            >
              <DraftFrame
                document={frame.document}
                origin={frame.origin}
                site={site}
                title={title}
                pages={pages ?? []}
                onLink={page => frame === shown && onLink(page)}
                scrollTop={scrollTop}
                isVisible={frame !== loading}
                tracked={frame === shown ? tracked : null}
                onMark={message => frame === shown && onMark?.(message, frame.document)}
                onShown={() => {
                  if (frame !== loading) return
                  setFailures(0)
                  setShown(frame)
                  onSettled(frame.document, true)
                  setLoading(null)
                }}
                onUnresponsive={() => {
                  if (frame !== loading) return
                  setFailures(failures + 1)
                  if (failures + 1 < ATTEMPTS) return setAttempt(attempt + 1)
                  setLoading(null)
                  onSettled(frame.document, false)
                }}
                onEndless={() => {
                  stoppedDocument.current = frame.document
                  setLoading(null)
                  setIsStopped(true)
                  onSettled(frame.document, false)
                  setAttempt(attempt + 1)
                }}
              />
            </div>
          ),
      )}
      {/* Not in the frame that it lies over: the next draft has another frame, and what is typed here must stay. */}
      {shown && overlay && (
        <div className={classes.overlay} style={size}>
          {overlay(scale)}
        </div>
      )}
      {!shown && !isStopped && !isUnreachable && (
        <Center h="100%">
          <Loader size="sm" aria-hidden />
        </Center>
      )}
      {(isUnreachable || origin.isError) && (
        <Alert
          className={classes.notice}
          color="yellow"
          icon={<IconPlugConnectedX aria-hidden />}
          title="The preview does not load"
        >
          {origin.data ? new URL(origin.data).host : 'Its address'} is not responding. Your text is safe.
          <Button variant="default" size="xs" mt="xs" display="block" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </Button>
        </Alert>
      )}
      {isStopped && (
        <Alert
          className={classes.notice}
          color="yellow"
          icon={<IconPlayerPause aria-hidden />}
          title="Preview stopped"
        >
          A script on this page does not finish. Fix it to see the preview again; your text is safe.
        </Alert>
      )}
    </div>
  )
}
