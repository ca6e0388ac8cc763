import { Alert, Button, Code, Group, List, Paper, Stack, Text, Title } from '@mantine/core'
import { IconKeyOff, IconTrash, IconUsersMinus, IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, type Outputs } from '../api.ts'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
import { clearCache, useSession } from '../session.ts'
import { ButtonLink, TextLink } from '../ui/ButtonLink.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { failureOf } from '../ui/failure.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { counted, formatNumber } from '../ui/numbers.ts'
import { ViewTitle } from '../ui/ViewTitle.tsx'

/** Deletes the account, after showing what is deleted, what stops working and what is kept. */
export const DeleteAccount = () => (
  <ConfirmationProvider>
    <DeleteAccountView />
  </ConfirmationProvider>
)

const DeleteAccountView = () => {
  const { handle } = useSession()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const summary = useQuery(api.accounts.leaving.queryOptions(undefined, { staleTime: 0 }))
  const remove = useConfirmedMutation(
    api.accounts.delete.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/account-deleted', state: { deletedHandle: handle }, replace: true })
        clearCache()
      },
      onError: async error => {
        // Close the dialog, because the view behind it lists the spaces that block the deletion.
        if (!['last_participant', 'last_owner'].includes(failureOf(error).code ?? '')) return
        setConfirming(false)
        remove.reset()
        await summary.refetch()
      },
    }),
  )
  return (
    <>
      <ViewTitle title="Delete your account" text={`You are signed in as @${handle}.`} />
      <Loaded query={summary} placeholder={<Loading rows={3} height={96} />}>
        {found => (
          <Stack gap="lg" maw="44rem">
            {found.alone_in.length > 0 && (
              <BlockingSpaces
                spaces={found.alone_in}
                who="participant"
                text="Before you can delete your account, each space needs another participant or must be deleted."
                action="invite someone to"
              />
            )}
            {found.only_owner_of.length > 0 && (
              <BlockingSpaces
                spaces={found.only_owner_of}
                who="owner"
                text="Before you can delete your account, each space needs another owner or must be deleted."
                action="make someone an owner of"
              />
            )}
            <DeletionSummary handle={handle} summary={found} />
            <Group gap="sm">
              {found.alone_in.length === 0 && found.only_owner_of.length === 0 && (
                <Button color="red" onClick={() => setConfirming(true)}>
                  Delete account
                </Button>
              )}
              <ButtonLink to="/account" variant="default">
                Back to profile
              </ButtonLink>
            </Group>
          </Stack>
        )}
      </Loaded>
      <Confirm
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        title="Delete your account permanently?"
        action="Delete account"
        typed={handle}
        onConfirm={() => remove.mutate({ confirm: handle })}
        mutation={remove}
      >
        <Text>This can’t be undone. Your handle becomes available to others immediately.</Text>
      </Confirm>
    </>
  )
}

interface BlockingSpacesProps {
  spaces: Outputs['accounts']['leaving']['alone_in']
  /** What the person is the only one of. */
  who: 'participant' | 'owner'
  text: string
  /** What the person can do instead of deleting a space, whose name follows. */
  action: string
}

/** Lists the spaces that block the deletion because the person is their only participant or owner. */
export const BlockingSpaces = ({ spaces, who, text, action }: BlockingSpacesProps) => (
  <Alert
    color="yellow"
    icon={<IconUsersMinus aria-hidden />}
    title={
      spaces.length === 1
        ? `You are the only ${who} of a space`
        : `You are the only ${who} of ${spaces.length} spaces`
    }
  >
    {text}
    <List mt="xs" spacing={6}>
      {spaces.map(({ subdomain, name }) => (
        <List.Item key={subdomain}>
          <b>{name}</b>:{' '}
          <TextLink to="/spaces/$subdomain/participants" params={{ subdomain }}>
            {action} {subdomain}
          </TextLink>{' '}
          or{' '}
          <TextLink to="/spaces/$subdomain/settings" params={{ subdomain }}>
            delete {subdomain}
          </TextLink>
        </List.Item>
      ))}
    </List>
  </Alert>
)

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
  const { posts, comments, likes, tokens, webhooks, files, keys, spaces } = summary
  return (
    <Stack gap="md">
      <SummarySection icon={<IconTrash size={18} aria-hidden />} title="Deleted permanently">
        <List spacing={4}>
          <List.Item>Your profile, with its name and picture. Anyone can take the handle {handle}.</List.Item>
          {posts > 0 && (
            <List.Item>{counted(posts, 'post')}, including drafts, with all comments on them</List.Item>
          )}
          {comments > 0 && <List.Item>{counted(comments, 'comment')} you wrote</List.Item>}
          {likes > 0 && <List.Item>{counted(likes, 'like')} you gave</List.Item>}
          {tokens > 0 && (
            <List.Item>{counted(tokens, 'token or connected app', 'tokens and connected apps')}</List.Item>
          )}
          {webhooks > 0 && <List.Item>{counted(webhooks, 'webhook')} you added to spaces</List.Item>}
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
                : `The ${formatNumber(keys.length)} keys you created, and everything that uses them:`}
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
            {files > 0 && <List.Item>{counted(files, 'file')} you uploaded, without your name</List.Item>}
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
