import { Anchor, Badge, Button, Group, List, Paper, Text, Textarea } from '@mantine/core'
import { IconCheck, IconExternalLink, IconTrash, IconUserOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api, type Outputs, root, rpc } from '../api.ts'
import { FormattedText } from '../posts/FormattedText.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { failureOf } from '../ui/failure.ts'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { DangerButton } from '../ui/Section.tsx'

/** What an operator is about to do about a report. */
export interface Decision {
  report: Reported
  outcome: 'takeDown' | 'suspend'
}

interface ReportProps {
  report: Reported
  onDecide: (outcome: Decision['outcome']) => void
  /** Called after the report has left the list. */
  onSettled: () => void
}

const Handle = ({ handle }: { handle: string }) => (
  <Anchor href={new URL(`@${handle}`, root).href} target="_blank" rel="noopener" underline="always" inherit>
    @{handle}
  </Anchor>
)

/** One report, with the actions for it. */
export const Report = ({ report, onDecide, onSettled }: ReportProps) => {
  const what = report.comment ? 'comment' : 'post'
  const dismiss = useMutation(
    api.reports.dismiss.mutationOptions({
      onSuccess: () => {
        onSettled()
        notifySuccess('Report dismissed.')
      },
      onError: error => {
        // Another operator has decided, or the post was deleted; the report is settled in both cases.
        if (failureOf(error).code === 'report_not_found') onSettled()
        else notifyFailure(error)
      },
    }),
  )
  return (
    <Paper withBorder p="md" component="article" aria-label={`Reported ${what} by ${report.author_handle}`}>
      <Text size="sm" c="dimmed">
        {report.reporter_handle === null ? 'A deleted account' : <Handle handle={report.reporter_handle} />}{' '}
        reported a {what} by <Handle handle={report.author_handle} /> <RelativeTime at={report.created_at} />
      </Text>
      <Text my="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {report.reason}
      </Text>
      {report.comment && (
        <Text
          component="blockquote"
          my="sm"
          mx={0}
          pl="md"
          c="dimmed"
          dir="auto"
          style={{
            whiteSpace: report.comment.html === null ? 'pre-wrap' : 'normal',
            overflowWrap: 'anywhere',
            borderInlineStart: '4px solid var(--mantine-color-default-border)',
          }}
        >
          {report.comment.html === null ? report.comment.body : <FormattedText html={report.comment.html} />}
        </Text>
      )}
      <Group gap="xs">
        <Button
          component="a"
          href={
            new URL(`posts/${report.post_id}${report.comment ? `#comment-${report.comment.id}` : ''}`, root)
              .href
          }
          target="_blank"
          rel="noopener"
          variant="default"
          size="sm"
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          Open post
        </Button>
        <Button
          size="sm"
          variant="light"
          leftSection={<IconCheck size={16} aria-hidden />}
          onClick={() => dismiss.mutate({ report_id: report.id })}
          loading={dismiss.isPending}
        >
          Dismiss
        </Button>
        <DangerButton
          label={`Take down ${what}`}
          icon={<IconTrash size={16} aria-hidden />}
          onClick={() => onDecide('takeDown')}
          disabled={dismiss.isPending}
        />
        {report.author_is_suspended ? (
          <Badge color="red" variant="light" tt="none">
            Author is suspended
          </Badge>
        ) : (
          <DangerButton
            label="Suspend author"
            icon={<IconUserOff size={16} aria-hidden />}
            onClick={() => onDecide('suspend')}
          />
        )}
      </Group>
    </Paper>
  )
}

interface DecisionDialogProps extends Decision {
  opened: boolean
  onClose: () => void
  /** Called after the report or the button for the decision is gone, even if another operator settled the report. */
  onSettled: () => void
}

/** The dialog for a decision, with the reason for it. It stays open if another operator settles the report. */
export const DecisionDialog = ({ outcome, ...props }: DecisionDialogProps) =>
  outcome === 'suspend' ? <Suspend {...props} /> : <TakeDown {...props} />

type DialogProps = Omit<DecisionDialogProps, 'outcome'>

/** Suspends the author of a reported post or comment, with a reason. */
const Suspend = ({ report: { author_handle: handle }, opened, onClose, onSettled }: DialogProps) => {
  const [reason, setReason] = useState('')
  const suspension = useMutation(
    api.suspensions.add.mutationOptions({
      onSuccess: () => {
        onClose()
        onSettled()
        notifySuccess(`@${handle} is suspended.`)
      },
    }),
  )
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={`Suspend @${handle}?`}
      action="Suspend account"
      onConfirm={() => suspension.mutate({ handle, reason })}
      mutation={suspension}
    >
      <Text>
        Posts and comments of this account are hidden, and it can’t post, comment, like, follow or report. Its
        spaces and open reports stay. You can lift the suspension at any time.
      </Text>
      <ReasonField reader="The person" value={reason} onChange={setReason} />
    </Confirm>
  )
}

type Reported = Outputs['reports']['list'][number]

type Outcome = 'takenDown' | 'alreadyDeleted' | 'dismissed' | 'settled'

const messageFor = (outcome: Outcome, what: 'post' | 'comment'): string =>
  ({
    takenDown: `${what === 'post' ? 'Post' : 'Comment'} taken down.`,
    alreadyDeleted: `The ${what} had already been deleted.`,
    dismissed: `Another operator dismissed the report, so the ${what} was not taken down.`,
    settled: `The ${what} had already been deleted, or another operator dismissed the report.`,
  })[outcome]

/** Takes a post or comment down. @returns the outcome: another operator may have settled the report in the meantime */
const takeDown = async ({ id, post_id, comment }: Reported, reason: string): Promise<Outcome> => {
  try {
    await rpc.reports.takeDown.mutate({ report_id: id, reason })
    return 'takenDown'
  } catch (error) {
    if (failureOf(error).code !== 'report_not_found') throw error
  }
  if (comment) return 'settled'
  try {
    await rpc.posts.get.query({ post_id })
    return 'dismissed'
  } catch (error) {
    if (failureOf(error).code !== 'post_not_found') throw error
    return 'alreadyDeleted'
  }
}

/** Asks for confirmation before a reported post or comment is deleted. */
const TakeDown = ({ report, opened, onClose, onSettled }: DialogProps) => {
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
      onClose={onClose}
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

interface Props {
  /** The person who will see the reason, for example "The author". Shown at the start of a sentence. */
  reader: string
  value: string
  onChange: (value: string) => void
}

/** A dialog field in which an operator gives the reason for a decision. */
export const ReasonField = ({ reader, value, onChange }: Props) => (
  <Textarea
    mt="md"
    label="Reason"
    description={`${reader} will see it. Up to ${limits.reportReason} characters.`}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
    maxLength={limits.reportReason}
    required
    autosize
    minRows={2}
    data-autofocus
  />
)
