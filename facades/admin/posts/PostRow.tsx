import { ActionIcon, Anchor, Badge, Group, Paper, Text, Tooltip } from '@mantine/core'
import { IconExternalLink, IconHeart, IconMessageCircle, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { type Outputs, root } from '../api.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { TextLink } from '../shell/ButtonLink.tsx'
import { DeletePost } from './DeletePost.tsx'
import { FORMAT_NAMES } from './formats.ts'

type Listed = Outputs['writing']['list']['posts'][number]

const Count = ({
  figure,
  one,
  many,
  icon,
}: {
  figure: number
  one: string
  many: string
  icon: typeof IconHeart
}) => {
  const Icon = icon
  return (
    <Text span size="sm" style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
      <Icon size={15} aria-hidden /> {figure} {figure === 1 ? one : many}
    </Text>
  )
}

/** One of your posts in the list, with its status, likes and comments. */
export const PostRow = ({ post, onDeleted }: { post: Listed; onDeleted: () => void }) => {
  const [isDeleting, setDeleting] = useState(false)
  const title = post.title || 'Untitled'
  const address = new URL(`posts/${post.id}`, root).href
  return (
    <Paper withBorder p="md">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <div style={{ flex: 1, minWidth: 0 }}>
          <Group gap="xs" wrap="nowrap">
            <TextLink
              to="/posts/$postId"
              params={{ postId: post.id }}
              fw={600}
              c="var(--mantine-color-text)"
              truncate
            >
              <bdi>{title}</bdi>
            </TextLink>
            {!post.published && (
              <Badge color="gray" variant="light" tt="none" style={{ flexShrink: 0 }}>
                Draft
              </Badge>
            )}
          </Group>
          <Group gap="md" mt={6} c="dimmed" style={{ rowGap: 4 }}>
            <Text span size="sm">
              {FORMAT_NAMES[post.format]} ·{' '}
              {post.published_at === null ? (
                <>
                  updated <RelativeTime at={post.updated_at} />
                </>
              ) : (
                <>
                  published <RelativeTime at={post.published_at} />
                </>
              )}
            </Text>
            {post.published && (
              <>
                <Count figure={post.like_count} one="like" many="likes" icon={IconHeart} />
                <Count figure={post.comment_count} one="comment" many="comments" icon={IconMessageCircle} />
              </>
            )}
            {post.tags.length > 0 && (
              <Text span size="sm" dir="auto">
                {post.tags.map(tag => `#${tag}`).join(' ')}
              </Text>
            )}
          </Group>
          {post.published && (
            <Anchor href={address} target="_blank" rel="noopener" size="sm" mt={6} display="block" truncate>
              {address.replace(/^https?:\/\//, '')}{' '}
              <IconExternalLink size={14} style={{ verticalAlign: '-2px' }} aria-hidden />
            </Anchor>
          )}
        </div>
        <Tooltip label="Delete">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            onClick={() => setDeleting(true)}
            aria-label={`Delete ${title}`}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <DeletePost post={post} opened={isDeleting} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
    </Paper>
  )
}
