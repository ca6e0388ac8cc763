import { List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, type Outputs } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { ReasonField } from './ReasonField.tsx'

type Report = Outputs['reports']['list'][number]

interface TakeDownProps {
  report: Report
  opened: boolean
  onClose: () => void
  /** Called after the report has left the list, even if another operator settled it. */
  onSettled: () => void
}

type Outcome = 'takenDown' | 'alreadyDeleted' | 'dismissed' | 'settled'

const messageFor = (outcome: Outcome, what: 'post' | 'comment'): string =>
  ({
    takenDown: `${what === 'post' ? 'Post' : 'Comment'} taken down.`,
    alreadyDeleted: `The ${what} had already been deleted.`,
    dismissed: `Another operator dismissed the report, so the ${what} was not taken down.`,
    settled: `The ${what} had already been deleted, or another operator dismissed the report.`,
  })[outcome]

/** Takes a post or comment down. @returns the outcome: another operator may have settled the report in the meantime */
const takeDown = async ({ id, post_id, comment }: Report, reason: string): Promise<Outcome> => {
  try {
    await client.reports.takeDown.mutate({ report_id: id, reason })
    return 'takenDown'
  } catch (error) {
    if (failureOf(error).code !== 'report_not_found') throw error
  }
  if (comment) return 'settled'
  try {
    await client.posts.get.query({ post_id })
    return 'dismissed'
  } catch (error) {
    if (failureOf(error).code !== 'post_not_found') throw error
    return 'alreadyDeleted'
  }
}

/** Asks for confirmation before a reported post or comment is deleted. */
export const TakeDown = ({ report, opened, onClose, onSettled }: TakeDownProps) => {
  const what = report.comment ? 'comment' : 'post'
  const [reason, setReason] = useState('')
  const deletion = useMutation({
    mutationKey: api.reports.pathKey(),
    mutationFn: () => takeDown(report, reason),
    onSuccess: outcome => {
      onClose()
      notifySuccess(messageFor(outcome, what))
      onSettled()
    },
  })
  return (
    <Confirm
      opened={opened}
      onClose={() => onClose()}
      title={`Take down this ${what}?`}
      action={`Take down ${what}`}
      onConfirm={() => deletion.mutate()}
      mutation={deletion}
    >
      <Text>
        This deletes the {what} by <b>@{report.author_handle}</b> for everyone, including its author:
      </Text>
      <List my="sm" withPadding>
        {!report.comment && (
          <>
            <List.Item>Its address stops working immediately.</List.Item>
            <List.Item>Its likes and comments are deleted too.</List.Item>
          </>
        )}
        <List.Item>All reports of it are closed.</List.Item>
      </List>
      <Text>This can’t be undone. The author and the people who reported it are notified.</Text>
      <ReasonField reader="The author" value={reason} onChange={setReason} />
    </Confirm>
  )
}
