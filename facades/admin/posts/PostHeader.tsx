import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core'
import { IconExternalLink, IconTrash } from '@tabler/icons-react'
import { root } from '../api.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { SaveStatus } from '../feedback/SaveStatus.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import type { Saved } from './post-values.ts'

interface PostHeaderProps {
  saved: Saved
  isUnsaved: boolean
  isBusy: boolean
  /** While something has to be decided first. */
  isDeciding: boolean
  canPublish: boolean
  /** What others made of it, where that is known. */
  counts?: { likes: number; comments: number } | undefined
  onSave: () => void
  onPublish: () => void
  onDelete: () => void
}

const plural = (figure: number, word: string) => `${figure} ${word}${figure === 1 ? '' : 's'}`

/** Where a post stands: new, a draft, or published; and the ways on from there. */
export const PostHeader = (props: PostHeaderProps) => {
  const { saved, isUnsaved, isBusy, isDeciding, canPublish, counts, onSave, onPublish, onDelete } = props
  const { id, publishedAt, updatedAt } = saved
  const text =
    id === null ? (
      'Nobody sees it before you publish it.'
    ) : publishedAt === null ? (
      <>
        Nobody sees it before you publish it. Saved <RelativeTime at={updatedAt} />.
      </>
    ) : (
      <>
        Published <RelativeTime at={publishedAt} />. Readers see a change as soon as you save it.{' '}
        <Anchor
          href={new URL(`posts/${id}`, root).href}
          target="_blank"
          rel="noopener"
          underline="always"
          style={{ whiteSpace: 'nowrap' }}
        >
          {counts
            ? `${plural(counts.likes, 'like')}, ${plural(counts.comments, 'comment')}`
            : 'Open the post'}{' '}
          <IconExternalLink size={14} style={{ verticalAlign: '-2px' }} aria-hidden />
        </Anchor>
      </>
    )
  return (
    <ViewTitle title={id === null ? 'New post' : publishedAt === null ? 'Draft' : 'Post'} text={text}>
      <span>
        <SaveStatus isUnsaved={isUnsaved} isSaved={id !== null} />
        <Button
          variant={publishedAt === null ? 'default' : 'filled'}
          onClick={onSave}
          loading={isBusy}
          disabled={!isUnsaved || isDeciding}
          aria-keyshortcuts="Control+S Meta+S"
        >
          {publishedAt === null ? 'Save draft' : 'Save for everybody'}
        </Button>
      </span>
      {publishedAt === null && (
        <Button onClick={onPublish} disabled={!canPublish || isBusy || isDeciding}>
          Publish …
        </Button>
      )}
      {id !== null && (
        <Tooltip label={publishedAt === null ? 'Delete draft' : 'Delete post'}>
          <ActionIcon
            variant="default"
            size={36}
            onClick={onDelete}
            aria-label={publishedAt === null ? 'Delete draft' : 'Delete post'}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </ViewTitle>
  )
}
