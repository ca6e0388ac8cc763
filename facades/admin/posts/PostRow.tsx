import { Anchor, Badge } from '@mantine/core'
import { IconCode, IconFileText, IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import { type Outputs, root } from '../api.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { RowDeleteButton } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'
import { DeletePost } from './DeletePost.tsx'
import { FORMAT_NAMES } from './post-values.ts'

type Listed = Outputs['writing']['list']['posts'][number]

const ICONS = { html: IconCode, rich: IconFileText, reblog: IconLink } as const

/** A figure with its noun: "1 like". */
const Count = ({ figure, noun }: { figure: number; noun: string }) => (
  <span>
    {figure} {figure === 1 ? noun : `${noun}s`}
  </span>
)

/** One of your posts in the list, with its status, likes and comments. */
export const PostRow = ({ post, onDeleted }: { post: Listed; onDeleted: () => void }) => {
  const [isDeleting, setDeleting] = useState(false)
  const title = post.title || 'Untitled'
  const address = new URL(`posts/${post.id}`, root).href
  const Icon = ICONS[post.format]
  return (
    <Row
      icon={<Icon size={20} />}
      title={
        <TextLink to="/posts/$postId" params={{ postId: post.id }}>
          <bdi>{title}</bdi>
        </TextLink>
      }
      badges={
        !post.published && (
          <Badge color="gray" variant="light" tt="none">
            Draft
          </Badge>
        )
      }
      text={
        <>
          <div>
            {FORMAT_NAMES[post.format]} · {post.published_at === null ? 'updated' : 'published'}{' '}
            <RelativeTime at={post.published_at ?? post.updated_at} />
            {post.published && (
              <>
                {' '}
                · <Count figure={post.like_count} noun="like" /> ·{' '}
                <Count figure={post.comment_count} noun="comment" />
              </>
            )}
            {post.tags.length > 0 && (
              <>
                {' '}
                · <bdi>{post.tags.map(tag => `#${tag}`).join(' ')}</bdi>
              </>
            )}
          </div>
          {post.published && (
            <Anchor href={address} target="_blank" rel="noopener" inherit>
              {address.replace(/^https?:\/\//, '')}
            </Anchor>
          )}
        </>
      }
    >
      <RowDeleteButton what={title} onClick={() => setDeleting(true)} />
      <DeletePost post={post} opened={isDeleting} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
    </Row>
  )
}
