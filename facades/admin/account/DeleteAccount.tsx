import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, client } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ConfirmationProvider, unlessCancelled, useConfirmation } from '../security/confirmation.tsx'
import { clearCache, useSession } from '../session.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { DeletionSummary } from './DeletionSummary.tsx'
import { SoleParticipantSpaces } from './SoleParticipantSpaces.tsx'

/** Deletes the account, after showing what is deleted, what stops working and what is kept. */
export const DeleteAccount = () => (
  <ConfirmationProvider>
    <DeleteAccountView />
  </ConfirmationProvider>
)

const DeleteAccountView = () => {
  const withConfirmation = useConfirmation()
  const { handle } = useSession()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const summary = useQuery(api.accounts.leaving.queryOptions(undefined, { staleTime: 0 }))
  const remove = useMutation({
    mutationFn: () => withConfirmation(() => client.accounts.delete.mutate({ confirm: handle })),
    onSuccess: async () => {
      await navigate({ to: '/account-deleted', state: { deletedHandle: handle }, replace: true })
      clearCache()
    },
    onError: async error => {
      // Close the dialog, because the view behind it lists the spaces that block the deletion.
      if (failureOf(error).code !== 'last_participant') return
      setConfirming(false)
      await summary.refetch()
    },
  })
  const title = <ViewTitle title="Delete your account" text={`You are signed in as @${handle}.`} />
  if (summary.isPending)
    return (
      <>
        {title}
        <Loading rows={3} height={96} />
      </>
    )
  if (summary.isError)
    return (
      <>
        {title}
        <FailureView error={summary.error} retry={() => void summary.refetch()} />
      </>
    )
  const isPossible = summary.data.alone_in.length === 0
  return (
    <>
      {title}
      <Stack gap="lg" maw="44rem">
        {!isPossible && <SoleParticipantSpaces spaces={summary.data.alone_in} />}
        <DeletionSummary handle={handle} summary={summary.data} />
        <Group gap="sm">
          {isPossible && (
            <Button color="red" onClick={() => setConfirming(true)}>
              Delete account
            </Button>
          )}
          <ButtonLink to="/account" variant="default">
            Back to profile
          </ButtonLink>
        </Group>
      </Stack>
      <Confirm
        opened={isConfirming}
        onClose={() => {
          remove.reset()
          setConfirming(false)
        }}
        title="Delete your account permanently?"
        action="Delete account"
        typed={handle}
        onConfirm={() => remove.mutate()}
        pending={remove.isPending}
        error={unlessCancelled(remove.error)}
      >
        <Text>This can’t be undone. Your handle becomes available to others immediately.</Text>
      </Confirm>
    </>
  )
}
