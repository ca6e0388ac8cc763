import { Anchor, Badge, Button, Group, Paper, Text } from '@mantine/core'
import { IconCheck, IconExternalLink, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Outputs, root } from '../api.ts'
import { FormattedText } from '../discussions/FormattedText.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifyFailure, notifySuccess } from '../feedback/notify.ts'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { SuspendButton } from './SuspendButton.tsx'
import { TakeDown } from './TakeDown.tsx'

interface ReportProps {
  report: Outputs['reports']['list'][number]
  /** Called after the report has left the list. */
  onSettled: () => void
}

const Handle = ({ handle }: { handle: string }) => (
  <Anchor href={new URL(`@${handle}`, root).href} target="_blank" rel="noopener" underline="always" inherit>
    @{handle}
  </Anchor>
)

/** One report, with the actions for it. */
export const Report = ({ report, onSettled }: ReportProps) => {
  const [isTakingDown, setTakingDown] = useState(false)
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
        <Button
          size="sm"
          variant="outline"
          color="red"
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => setTakingDown(true)}
          disabled={dismiss.isPending}
        >
          Take down {what}
        </Button>
        {report.author_is_suspended ? (
          <Badge color="red" variant="light" tt="none">
            Author is suspended
          </Badge>
        ) : (
          <SuspendButton handle={report.author_handle} />
        )}
      </Group>
      <TakeDown
        report={report}
        opened={isTakingDown}
        onClose={() => setTakingDown(false)}
        onSettled={onSettled}
      />
    </Paper>
  )
}
