import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { ConfirmationProvider, useConfirmedMutation } from '../security/confirmation.tsx'
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
        if (failureOf(error).code !== 'last_participant') return
        setConfirming(false)
        await summary.refetch()
      },
    }),
  )
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
