import { Code, List, Paper, Stack, Text, Title } from '@mantine/core'
import { IconKeyOff, IconTrash, IconWorld } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'

const number = new Intl.NumberFormat('en')
const count = (figure: number, one: string, many: string) =>
  `${number.format(figure)} ${figure === 1 ? one : many}`

const Fate = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <Paper withBorder p="md">
    <Title order={2} size="h5" mb="xs" style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      {icon}
      {title}
    </Title>
    {children}
  </Paper>
)

/** What goes with an account, what stops, and what stays. */
export const DeletionSummary = ({
  handle,
  leaving,
}: {
  handle: string
  leaving: Outputs['accounts']['leaving']
}) => {
  const { posts, comments, likes, tokens, files, keys, spaces } = leaving
  return (
    <Stack gap="md">
      <Fate icon={<IconTrash size={18} aria-hidden />} title="Goes for good">
        <List spacing={4}>
          <List.Item>Your profile with picture and name; the handle {handle} is free for anybody</List.Item>
          {posts > 0 && (
            <List.Item>
              {count(posts, 'post', 'posts')}, drafts included, with what others wrote below
            </List.Item>
          )}
          {comments > 0 && <List.Item>{count(comments, 'comment', 'comments')} of yours</List.Item>}
          {likes > 0 && <List.Item>{count(likes, 'like', 'likes')} of yours</List.Item>}
          {tokens > 0 && (
            <List.Item>
              {count(tokens, 'token or connected client', 'tokens and connected clients')}
            </List.Item>
          )}
          <List.Item>Your ways to sign in, and every open session</List.Item>
        </List>
      </Fate>
      <Fate icon={<IconKeyOff size={18} aria-hidden />} title="Stops working">
        {keys.length === 0 ? (
          <Text>You have issued no keys, so nothing that uses one stops.</Text>
        ) : (
          <>
            <Text mb="xs">
              {keys.length === 1 ? 'The key you issued' : `The ${number.format(keys.length)} keys you issued`}
              , and with
              {keys.length === 1 ? ' it' : ' them'} whatever uses {keys.length === 1 ? 'it' : 'them'}:
            </Text>
            <List spacing={4}>
              {keys.map(({ id, label, hint, subdomain }) => (
                <List.Item key={id}>
                  {label} <Code>{hint}</Code> in {subdomain}
                </List.Item>
              ))}
            </List>
          </>
        )}
      </Fate>
      <Fate icon={<IconWorld size={18} aria-hidden />} title="Stays">
        <List spacing={4}>
          <List.Item>
            {files === 0
              ? 'You have uploaded no files that stay behind'
              : `${count(files, 'file', 'files')} you uploaded, without your name`}
          </List.Item>
          <List.Item>
            {spaces.length === 0
              ? 'There are no spaces you would leave to others'
              : `${spaces.map(({ name }) => name).join(', ')}, with ${spaces.length === 1 ? 'its' : 'their'} pages, parts and data, for the other participants`}
          </List.Item>
        </List>
      </Fate>
    </Stack>
  )
}
