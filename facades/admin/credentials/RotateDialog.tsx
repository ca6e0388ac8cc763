import { Button, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { DialogActions } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import type { Credential, Noun } from './credential.ts'

/** How long the old secret keeps working, in seconds. */
export type Overlap = (typeof limits.overlapSeconds)[number]

const OPTIONS: Record<Overlap, [label: string, description: string]> = {
  0: ['Immediately', 'Choose this if the old one may have leaked. Programs fail until you update them.'],
  3600: ['In 1 hour', 'Choose this if you want to update one program right away.'],
  86400: ['In 1 day', 'This gives you time to update several programs without an interruption.'],
  604800: ['In 7 days', 'This gives other people time to update their programs.'],
}
const DEFAULT_OVERLAP: Overlap = 86_400

/** Returns the time until the old secret stops working, as part of a sentence: "in 1 hour". */
export const describeOverlap = (overlap: Overlap) => OPTIONS[overlap][0].toLowerCase()

interface RotateDialogProps {
  noun: Noun
  credential: Credential
  onRotate: (overlap: Overlap) => void
  isPending: boolean
  error: unknown
  onClose: () => void
  /** Note about other effects of the rotation. */
  note?: string | undefined
}

/** Dialog that replaces a key or token, and asks when the old secret stops working. */
export const RotateDialog = ({
  noun,
  credential,
  onRotate,
  isPending,
  error,
  onClose,
  note,
}: RotateDialogProps) => {
  useFocusReturn()
  const [overlap, setOverlap] = useState<Overlap>(DEFAULT_OVERLAP)
  return (
    <Modal opened onClose={() => !isPending && onClose()} title={`Rotate “${credential.label}”`} centered>
      <form
        onSubmit={event => {
          event.preventDefault()
          onRotate(overlap)
        }}
      >
        <Stack>
          <Text>
            You get a new {noun} with the same label, the same permissions and the same lifetime. You choose
            when the old one stops working. {note}
          </Text>
          <Radio.Group
            label={`When should the old ${noun} stop working?`}
            value={String(overlap)}
            onChange={value => setOverlap(limits.overlapSeconds.find(known => String(known) === value)!)}
          >
            <Stack gap="xs" mt="xs">
              {limits.overlapSeconds.map(seconds => (
                <Radio
                  key={seconds}
                  value={String(seconds)}
                  label={OPTIONS[seconds][0]}
                  description={OPTIONS[seconds][1]}
                />
              ))}
            </Stack>
          </Radio.Group>
          <FormFailure error={error} />
          <DialogActions onCancel={onClose} isBusy={isPending}>
            <Button type="submit" loading={isPending}>
              Rotate {noun}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Modal>
  )
}
