import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { FailureView } from '../feedback/FailureView.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loading } from '../feedback/Loading.tsx'
import { forgetEverything, useSession } from '../session.ts'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { DeletionSummary } from './DeletionSummary.tsx'
import { SoleParticipantSpaces } from './SoleParticipantSpaces.tsx'

/** Deletes the account: what goes, what stops and what stays is shown first. */
export const DeleteAccount = () => {
  const { handle } = useSession()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const leaving = useQuery(api.accounts.leaving.queryOptions(undefined, { staleTime: 0 }))
  const remove = useMutation(
    api.accounts.delete.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: '/account-deleted', state: { deletedHandle: handle }, replace: true })
        forgetEverything()
      },
      onError: async error => {
        // What is in the way is shown better below the question than in it.
        if (failureOf(error).code !== 'last_participant') return
        setAsking(false)
        await leaving.refetch()
      },
    }),
  )
  const title = <ViewTitle title="Delete your account" text={`You are signed in as @${handle}.`} />
  if (leaving.isPending)
    return (
      <>
        {title}
        <Loading rows={3} height={96} />
      </>
    )
  if (leaving.isError)
    return (
      <>
        {title}
        <FailureView error={leaving.error} retry={() => void leaving.refetch()} />
      </>
    )
  const isPossible = leaving.data.alone_in.length === 0
  return (
    <>
      {title}
      <Stack gap="lg" maw="44rem">
        {!isPossible && <SoleParticipantSpaces spaces={leaving.data.alone_in} />}
        <DeletionSummary handle={handle} leaving={leaving.data} />
        <Group gap="sm">
          {isPossible && (
            <Button color="red" onClick={() => setAsking(true)}>
              Delete my account
            </Button>
          )}
          <ButtonLink to="/account" variant="default">
            Back to your profile
          </ButtonLink>
        </Group>
      </Stack>
      <Confirm
        opened={isAsking}
        onClose={() => {
          remove.reset()
          setAsking(false)
        }}
        title="Delete your account for good?"
        action="Delete my account"
        typed={handle}
        onConfirm={() => remove.mutate({ confirm: handle })}
        pending={remove.isPending}
        error={remove.error}
      >
        <Text>Nobody can bring it back, and the handle is free for anybody at once.</Text>
      </Confirm>
    </>
  )
}
