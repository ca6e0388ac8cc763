import { ActionIcon, Group, SegmentedControl, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import {
  IconArrowsHorizontal,
  IconDeviceDesktop,
  IconDeviceMobile,
  IconExternalLink,
  IconPointer,
  IconRefresh,
} from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { FormFailure } from '../ui/FormFailure.tsx'
import type { CorrectAt } from './CorrectButton.tsx'
import { type LinkedPage, LinkedPageBar } from './LinkedPageBar.tsx'
import classes from './Preview.module.css'
import { PreviewFrames } from './PreviewFrames.tsx'
import { ReviewPanel, reviewCount } from './ReviewPanel.tsx'
import { TemplateErrorPanel } from './TemplateErrorPanel.tsx'
import type { PreviewDocument, PreviewState, TemplatePlace } from './use-preview.ts'
import type { MarkedPlace, Selection } from './use-selection.ts'

interface PreviewProps extends PreviewState {
  /** Evaluates and shows the draft again. */
  refresh: () => void
  /** The site to which relative links in the draft refer. */
  site: string
  /** The frame's name, such as "Preview of about-us". */
  title: string
  /** The public URL of the saved version; undefined for a new draft. */
  savedUrl?: string | undefined
  /** Returns a function that moves the editor to a place, or undefined if the place is in another page or part. */
  goTo?: ((place: TemplatePlace) => (() => void) | undefined) | undefined
  /**
   * Returns a function that replaces a misspelled name at a place, or undefined if the place is in another page or
   * part.
   */
  correct?: CorrectAt | undefined
  /** The pages whose editors can be opened from links in the draft; undefined while they load. */
  pages: readonly LinkedPage[] | undefined
  /** What is selected in the draft; undefined if its elements can't be selected. */
  selection?: Selection | undefined
  /** Says where the selected element is written. */
  selectionBar?: ((selected: MarkedPlace) => ReactNode) | undefined
  /** Returns what is drawn over the draft that is shown. @param scale by how much the draft is scaled */
  overlay?: ((scale: number) => ReactNode) | undefined
  /** Further controls for the toolbar. */
  children?: ReactNode
}

const ICON_SIZE = 16

/** Viewport widths in CSS pixels; null for the width of the pane. */
const WIDTHS = { fit: null, phone: 390, desktop: 1280 } as const

const WIDTH_CHOICES = [
  { value: 'fit' as const, text: 'Fit', icon: <IconArrowsHorizontal size={ICON_SIZE} /> },
  { value: 'phone' as const, text: 'Phone', icon: <IconDeviceMobile size={ICON_SIZE} /> },
  { value: 'desktop' as const, text: 'Desktop', icon: <IconDeviceDesktop size={ICON_SIZE} /> },
]

const statusOf = ({ document, error, failure, isWorking, isErrorHeld }: PreviewState, isShown: boolean) => {
  if (isWorking) return document ? 'Updating…' : 'Loading preview…'
  if (error || isErrorHeld) return document ? 'Showing the last working version' : 'Nothing to show yet'
  return failure || !isShown ? 'Not up to date' : 'Up to date'
}

/** A draft as readers would see it, with its template error if any. It runs on a separate origin from the dashboard. */
export const Preview = ({
  refresh,
  site,
  title,
  savedUrl,
  goTo,
  correct,
  pages,
  selection,
  selectionBar,
  overlay,
  children,
  ...state
}: PreviewProps) => {
  const [width, setWidth] = useState<keyof typeof WIDTHS>('fit')
  const { document, error, review, failure } = state
  const { online } = useNetwork()
  const [linked, setLinked] = useState<LinkedPage | null>(null)
  const onShown = selection?.onShown
  const [settled, setSettled] = useState({ document: null as PreviewDocument | null, isShown: true })
  const onSettled = useCallback(
    (document: PreviewDocument | null, isShown: boolean) => {
      setSettled({ document, isShown })
      if (document && isShown) onShown?.(document)
    },
    [onShown],
  )
  const slugs = useMemo(() => pages?.map(({ slug }) => slug), [pages])
  const isWorking = state.isWorking || document !== settled.document
  const hasReview = review !== null && reviewCount(review) !== ''
  return (
    <section className={classes.preview} aria-label="Preview">
      <div className={classes.bar}>
        <Text size="sm" c="dimmed" role="status" style={{ flex: '1 1 8rem' }}>
          {statusOf({ ...state, isWorking }, settled.isShown)}
          {hasReview && <VisuallyHidden>, {reviewCount(review)}</VisuallyHidden>}
        </Text>
        {children}
        <Group gap={4} wrap="nowrap">
          <SegmentedControl
            size="xs"
            aria-label="Preview width"
            value={width}
            onChange={setWidth}
            data={WIDTH_CHOICES.map(({ value, text, icon }) => ({
              value,
              label: (
                <Tooltip label={text}>
                  <span style={{ display: 'grid', placeItems: 'center', minWidth: 24, minHeight: 20 }}>
                    {icon}
                    <VisuallyHidden>{text}</VisuallyHidden>
                  </span>
                </Tooltip>
              ),
            }))}
          />
          {selection && settled.document?.marks && (
            <Tooltip label="Select an element">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label="Select an element"
                onClick={() => settled.document && selection.start(settled.document)}
              >
                <IconPointer size={ICON_SIZE} />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label="Reload preview">
            <ActionIcon variant="subtle" color="gray" aria-label="Reload preview" onClick={refresh}>
              <IconRefresh size={ICON_SIZE} />
            </ActionIcon>
          </Tooltip>
          {savedUrl && (
            <Tooltip label="Open full page in a new tab">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label="Open full page in a new tab"
                component="a"
                href={savedUrl}
                target="_blank"
                rel="noopener"
              >
                <IconExternalLink size={ICON_SIZE} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      {error && (
        <TemplateErrorPanel
          error={error}
          onGoTo={goTo?.(error)}
          onCorrect={error.correction && correct?.(error, error.correction)}
        />
      )}
      {hasReview && <ReviewPanel review={review} goTo={goTo} correct={correct} />}
      {/* While offline, the banner explains the failure. */}
      {failure !== null && online && <FormFailure error={failure} />}
      {linked && <LinkedPageBar page={linked} onClose={() => setLinked(null)} />}
      {selection?.selected && selectionBar?.(selection.selected)}
      <PreviewFrames
        tracked={selection?.tracked ?? null}
        onMark={selection?.onMark}
        overlay={overlay}
        document={document}
        site={site}
        title={title}
        pages={slugs}
        onLink={slug => setLinked(pages?.find(page => page.slug === slug) ?? null)}
        width={WIDTHS[width]}
        onSettled={onSettled}
      />
    </section>
  )
}
