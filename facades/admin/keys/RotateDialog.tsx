import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { limits } from '../../../routers/core/rules.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { useFocusReturn } from '../feedback/use-focus-return.ts'
import type { Credential, Noun } from './credential.ts'

/** Seconds. */
export type Overlap = (typeof limits.overlapSeconds)[number]

const WORDS: Record<Overlap, [label: string, description: string]> = {
  0: ['At once', 'For when it may be in the wrong hands. Whatever uses it fails until it has the new one.'],
  3600: ['In 1 hour', 'For a program that you change now.'],
  86400: ['In 1 day', 'Time to change a few programs without a gap.'],
  604800: ['In 7 days', 'Time for others to change theirs.'],
}
const SUGGESTED: Overlap = 86_400

/** After how long the old one stops, within a sentence. */
export const overlapInWords = (overlap: Overlap) => WORDS[overlap][0].toLowerCase()

interface RotateDialogProps {
  noun: Noun
  credential: Credential
  onRotate: (overlap: Overlap) => void
  isPending: boolean
  error: unknown
  onClose: () => void
  /** What changes beside the secret. */
  note?: string | undefined
}

/** Asks when a key or token is to stop that a new one takes the place of. */
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
  const [overlap, setOverlap] = useState<Overlap>(SUGGESTED)
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
            You get a new {noun} with the same label, the same scopes and as long a life. The old one stops
            when you say. {note}
          </Text>
          <Radio.Group
            label={`The old ${noun} stops`}
            value={String(overlap)}
            onChange={value => setOverlap(limits.overlapSeconds.find(known => String(known) === value)!)}
          >
            <Stack gap="xs" mt="xs">
              {limits.overlapSeconds.map(seconds => (
                <Radio
                  key={seconds}
                  value={String(seconds)}
                  label={WORDS[seconds][0]}
                  description={WORDS[seconds][1]}
                />
              ))}
            </Stack>
          </Radio.Group>
          <FormFailure error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Rotate {noun}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
