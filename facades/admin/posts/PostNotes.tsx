import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { FORMATS } from './formats.ts'
import { isBlank, type Saved, type Values } from './post-values.ts'

interface PostNotesProps {
  values: Values
  saved: Saved
  /** Whether what the post was written as was not kept. */
  isLost: boolean
}

/** What a saving would replace that cannot be had back. */
export const PostNotes = ({ values, saved, isLost }: PostNotesProps) => {
  const { format } = values
  const isOther = saved.id !== null && saved.values.format !== format
  return (
    <div role="status">
      {isLost && format === 'markdown' && (
        <Alert mb="md" color="gray" icon={<IconInfoCircle aria-hidden />} title="Its Markdown was not kept">
          The text came through the API, which keeps only what was made of it. The preview shows that until
          you write; what you save replaces it as a whole.
        </Alert>
      )}
      {isOther && !isBlank(values) && (
        <Alert mb="md" color="yellow" icon={<IconInfoCircle aria-hidden />}>
          The post is {FORMATS[saved.values.format].label} until you save. Then this takes its place, and the{' '}
          {FORMATS[saved.values.format].label} is gone.
        </Alert>
      )}
    </div>
  )
}
