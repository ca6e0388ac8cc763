import { Alert } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { FORMATS } from './formats.ts'
import { isBlank, type Saved, type Values } from './post-values.ts'

interface PostNoticesProps {
  values: Values
  saved: Saved
  /** Whether the service has no Markdown source of the post. */
  isSourceLost: boolean
}

/** Warns about content that saving would replace permanently. */
export const PostNotices = ({ values, saved, isSourceLost }: PostNoticesProps) => {
  const { format } = values
  const changesFormat = saved.id !== null && saved.values.format !== format
  return (
    <div role="status">
      {isSourceLost && format === 'markdown' && (
        <Alert
          mb="md"
          color="gray"
          icon={<IconInfoCircle aria-hidden />}
          title="The Markdown source was not kept"
        >
          This post was saved through the API, which keeps only the rendered HTML. The preview shows this HTML
          until you start writing; saving replaces the whole post.
        </Alert>
      )}
      {changesFormat && !isBlank(values) && (
        <Alert mb="md" color="yellow" icon={<IconInfoCircle aria-hidden />}>
          The saved post is in another format ({FORMATS[saved.values.format].label}). Saving replaces it with
          what you write here.
        </Alert>
      )}
    </div>
  )
}
