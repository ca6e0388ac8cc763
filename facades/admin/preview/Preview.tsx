import { ActionIcon, Group, SegmentedControl, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import {
  IconArrowsHorizontal,
  IconDeviceDesktop,
  IconDeviceMobile,
  IconExternalLink,
  IconRefresh,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { FaultPanel } from './FaultPanel.tsx'
import { Picture } from './Picture.tsx'
import classes from './Preview.module.css'
import type { PreviewState, TemplateFault } from './use-preview.ts'

interface PreviewProps extends PreviewState {
  /** Shows the draft once more, from its beginning. */
  again: () => void
  /** Where links lead that the draft means for its own site. */
  site: string
  /** What is shown, for the name of the frame: "Preview of about-us". */
  title: string
  /** Where the saved state is to be seen; none while there is none. */
  savedUrl?: string | undefined
  /** Goes to the place of a fault; undefined where that is not in the editor. */
  goTo?: ((fault: TemplateFault) => (() => void) | undefined) | undefined
  /** More in the bar: what a part is shown in. */
  children?: ReactNode
}

const icon = 16

/** CSS pixels that a draft believes its window to be wide. */
const WIDTHS = { fit: null, phone: 390, desktop: 1280 } as const

const WIDTH_CHOICES = [
  { value: 'fit' as const, words: 'As wide as here', face: <IconArrowsHorizontal size={icon} /> },
  { value: 'phone' as const, words: 'As on a phone', face: <IconDeviceMobile size={icon} /> },
  { value: 'desktop' as const, words: 'As on a desktop', face: <IconDeviceDesktop size={icon} /> },
]

const words = ({ picture, fault, failure, isWorking }: PreviewState) => {
  if (isWorking) return picture ? 'Updating' : 'Making the preview'
  if (fault) return picture ? 'Showing the last working state' : 'Nothing to show yet'
  return failure ? 'Not up to date' : 'Up to date'
}

/** A draft as readers would see it, and what is wrong with it. Nothing of it runs on the screen's own origin. */
export const Preview = ({ again, site, title, savedUrl, goTo, children, ...state }: PreviewProps) => {
  const [width, setWidth] = useState<keyof typeof WIDTHS>('fit')
  const { picture, fault, failure } = state
  return (
    <section className={classes.preview} aria-label="Preview">
      <div className={classes.bar}>
        <Text size="sm" c="dimmed" role="status" style={{ flex: '1 1 8rem' }}>
          {words(state)}
        </Text>
        {children}
        <Group gap={4} wrap="nowrap">
          <SegmentedControl
            size="xs"
            aria-label="Width of the preview"
            value={width}
            onChange={setWidth}
            data={WIDTH_CHOICES.map(({ value, words, face }) => ({
              value,
              label: (
                <Tooltip label={words}>
                  <span style={{ display: 'grid', placeItems: 'center', minWidth: 24, minHeight: 20 }}>
                    {face}
                    <VisuallyHidden>{words}</VisuallyHidden>
                  </span>
                </Tooltip>
              ),
            }))}
          />
          <Tooltip label="Show it from the beginning">
            <ActionIcon variant="subtle" color="gray" aria-label="Reload the preview" onClick={again}>
              <IconRefresh size={icon} />
            </ActionIcon>
          </Tooltip>
          {savedUrl && (
            <Tooltip label="Open the saved page in a new tab">
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label="Open the saved page in a new tab"
                component="a"
                href={savedUrl}
                target="_blank"
                rel="noopener"
              >
                <IconExternalLink size={icon} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      {fault && <FaultPanel fault={fault} onGo={goTo?.(fault)} />}
      {failure !== null && <FormFailure error={failure} />}
      <Picture picture={picture} site={site} title={title} width={WIDTHS[width]} />
    </section>
  )
}
