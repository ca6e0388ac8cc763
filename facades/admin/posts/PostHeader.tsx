import { Anchor, Button } from '@mantine/core'
import { IconExternalLink, IconHistory, IconMessageCircle, IconTrash } from '@tabler/icons-react'
import { root } from '../api.ts'
import { IconButton, IconLink } from '../ui/IconButton.tsx'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SaveStatus } from '../ui/SaveStatus.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import type { Saved } from './post-values.ts'

interface PostHeaderProps {
  saved: Saved
  isUnsaved: boolean
  isBusy: boolean
  /** Disables saving and publishing while a conflict is open. */
  hasConflict: boolean
  canPublish: boolean
  /** The post's numbers of likes and comments, if known. */
  counts?: { likes: number; comments: number } | undefined
  onSave: () => void
  onPublish: () => void
  onDelete: () => void
}

/** A post's status, and buttons to save, publish and delete it. */
export const PostHeader = (props: PostHeaderProps) => {
  const { saved, isUnsaved, isBusy, hasConflict, canPublish, counts, onSave, onPublish, onDelete } = props
  const { id, publishedAt, updatedAt } = saved
  const text =
    id === null ? (
      'Only you can see it until you publish it.'
    ) : publishedAt === null ? (
      <>
        Only you can see it until you publish it. Saved <RelativeTime at={updatedAt} />.
      </>
    ) : (
      <>
        Published <RelativeTime at={publishedAt} />. Readers see changes as soon as you save them.{' '}
        <Anchor
          href={new URL(`posts/${id}`, root).href}
          target="_blank"
          rel="noopener"
          underline="always"
          style={{ whiteSpace: 'nowrap' }}
        >
          {counts ? `${counted(counts.likes, 'like')}, ${counted(counts.comments, 'comment')}` : 'Open post'}{' '}
          <IconExternalLink size={14} style={{ verticalAlign: '-2px' }} aria-hidden />
        </Anchor>
      </>
    )
  return (
    <ViewTitle
      title={id === null ? 'New post' : publishedAt === null ? 'Draft' : 'Post'}
      text={text}
      isSticky
    >
      <span>
        <SaveStatus isUnsaved={isUnsaved} isSaved={id !== null} />
        <Button
          variant={publishedAt === null ? 'default' : 'filled'}
          onClick={onSave}
          loading={isBusy}
          disabled={!isUnsaved || hasConflict}
          aria-keyshortcuts="Control+S Meta+S"
        >
          {publishedAt === null ? 'Save draft' : 'Update post'}
        </Button>
      </span>
      {publishedAt === null && (
        <Button onClick={onPublish} disabled={!canPublish || isBusy || hasConflict}>
          Publish…
        </Button>
      )}
      {id !== null && (
        <>
          <IconLink label="Comments" word="Comments" to="/posts/$postId/comments" params={{ postId: id }}>
            <IconMessageCircle size={18} />
          </IconLink>
          <IconLink label="History" word="History" to="/posts/$postId/history" params={{ postId: id }}>
            <IconHistory size={18} />
          </IconLink>
          <IconButton
            label={publishedAt === null ? 'Delete draft' : 'Delete post'}
            word="Delete"
            onClick={onDelete}
          >
            <IconTrash size={18} aria-hidden />
          </IconButton>
        </>
      )}
    </ViewTitle>
  )
}
