import { Code, List, Paper, Stack, Text, Title } from '@mantine/core'
import { IconKeyOff, IconTrash, IconWorld } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Outputs } from '../api.ts'

const number = new Intl.NumberFormat('en')
const count = (amount: number, one: string, many: string) =>
  `${number.format(amount)} ${amount === 1 ? one : many}`

const SummarySection = ({
  icon,
  title,
  children,
}: {
  icon: ReactNode
  title: string
  children: ReactNode
}) => (
  <Paper withBorder p="md">
    <Title order={2} size="h5" mb="xs" style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
      {icon}
      {title}
    </Title>
    {children}
  </Paper>
)

/** Shows what is deleted with the account, what stops working and what is kept. */
export const DeletionSummary = ({
  handle,
  summary,
}: {
  handle: string
  summary: Outputs['accounts']['leaving']
}) => {
  const { posts, comments, likes, tokens, files, keys, spaces } = summary
  return (
    <Stack gap="md">
      <SummarySection icon={<IconTrash size={18} aria-hidden />} title="Deleted permanently">
        <List spacing={4}>
          <List.Item>Your profile, with its name and picture. Anyone can take the handle {handle}.</List.Item>
          {posts > 0 && (
            <List.Item>
              {count(posts, 'post', 'posts')}, including drafts, with all comments on them
            </List.Item>
          )}
          {comments > 0 && <List.Item>{count(comments, 'comment', 'comments')} you wrote</List.Item>}
          {likes > 0 && <List.Item>{count(likes, 'like', 'likes')} you gave</List.Item>}
          {tokens > 0 && (
            <List.Item>{count(tokens, 'token or connected app', 'tokens and connected apps')}</List.Item>
          )}
          <List.Item>Your sign-in methods and all sessions</List.Item>
        </List>
      </SummarySection>
      <SummarySection icon={<IconKeyOff size={18} aria-hidden />} title="What will stop working">
        {keys.length === 0 ? (
          <Text>You have created no keys, so nothing will stop working.</Text>
        ) : (
          <>
            <Text mb="xs">
              {keys.length === 1
                ? 'The key you created, and everything that uses it:'
                : `The ${number.format(keys.length)} keys you created, and everything that uses them:`}
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
      </SummarySection>
      <SummarySection icon={<IconWorld size={18} aria-hidden />} title="Kept">
        {files === 0 && spaces.length === 0 ? (
          <Text>Nothing of yours is kept.</Text>
        ) : (
          <List spacing={4}>
            {files > 0 && (
              <List.Item>{count(files, 'file', 'files')} you uploaded, without your name</List.Item>
            )}
            {spaces.length > 0 && (
              <List.Item>
                {spaces.map(({ name }) => name).join(', ')}, with {spaces.length === 1 ? 'its' : 'their'}{' '}
                pages, parts and data, for the other participants
              </List.Item>
            )}
          </List>
        )}
      </SummarySection>
    </Stack>
  )
}
