import { Textarea } from '@mantine/core'
import { limits } from '../../../routers/api/rules.ts'

interface Props {
  /** The person who will see the reason, for example "The author". Shown at the start of a sentence. */
  reader: string
  value: string
  onChange: (value: string) => void
}

/** A dialog field in which an operator gives the reason for a decision. */
export const ReasonField = ({ reader, value, onChange }: Props) => (
  <Textarea
    mt="md"
    label="Reason"
    description={`${reader} will see it. Up to ${limits.reportReason} characters.`}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
    maxLength={limits.reportReason}
    required
    autosize
    minRows={2}
    data-autofocus
  />
)
