import { Alert, Center, Loader } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconPlayerPause } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { client } from '../api.ts'
import { FailureView } from '../feedback/FailureView.tsx'
import { DraftFrame } from './DraftFrame.tsx'
import classes from './Preview.module.css'
import type { Picture as Draft } from './use-preview.ts'

interface PictureProps {
  picture: Draft | null
  /** Where links lead that the draft means for its own site. */
  site: string
  title: string
  /** CSS pixels that the draft believes its window to be wide; null for as wide as there is room. */
  width: number | null
}

interface Frame {
  id: number
  draft: Draft
  origin: string
}

/** Shows drafts, each in a frame of its own that takes the last one's place when it has something to show. */
export const Picture = ({ picture, site, title, width }: PictureProps) => {
  const id = useId()
  // An origin that a script holds is left to itself; the next one has another process.
  const [attempt, setAttempt] = useState(0)
  const origin = useQuery({
    queryKey: ['preview origin', id, attempt],
    queryFn: () => client.previews.origin.query(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [shown, setShown] = useState<Frame | null>(null)
  const [coming, setComing] = useState<Frame | null>(null)
  const [isEndless, setIsEndless] = useState(false)
  const top = useRef(0)
  const frames = useRef(0)
  const { ref, width: room, height } = useElementSize()

  const endless = useRef<Draft>(null)
  useEffect(() => {
    if (!picture || !origin.data || picture === endless.current) return
    frames.current += 1
    setIsEndless(false)
    setComing({ id: frames.current, draft: picture, origin: origin.data })
  }, [picture, origin.data])

  const scale = width === null || room === 0 ? 1 : Math.min(1, room / width)
  const size =
    width === null
      ? {}
      : {
          width,
          height: height / scale,
          transform: `scale(${scale})`,
          left: Math.max(0, (room - width * scale) / 2),
        }
  if (origin.isError) return <FailureView error={origin.error} retry={() => void origin.refetch()} />
  return (
    <div ref={ref} className={classes.window} data-narrow={width !== null && width < room ? true : undefined}>
      {[shown, coming].map(
        frame =>
          frame && (
            <div
              key={frame.id}
              className={classes.frame}
              style={size}
              data-coming={frame === coming || undefined}
            >
              <DraftFrame
                picture={frame.draft}
                origin={frame.origin}
                site={site}
                title={title}
                top={top}
                isVisible={frame !== coming}
                onShown={() => {
                  if (frame !== coming) return
                  setShown(frame)
                  setComing(null)
                }}
                onSilent={() => frame === coming && setAttempt(attempt + 1)}
                onEndless={() => {
                  endless.current = frame.draft
                  setComing(null)
                  setIsEndless(true)
                  setAttempt(attempt + 1)
                }}
              />
            </div>
          ),
      )}
      {!shown && !isEndless && (
        <Center h="100%">
          <Loader size="sm" aria-hidden />
        </Center>
      )}
      {isEndless && (
        <Alert
          className={classes.notice}
          color="yellow"
          icon={<IconPlayerPause aria-hidden />}
          title="Stopped"
        >
          A script of this page does not come to an end, so the preview was stopped. Your text is safe.
        </Alert>
      )}
    </div>
  )
}
