import { List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, client, type Outputs, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'

type Report = Outputs['reports']['list'][number]

interface TakeDownProps {
  report: Report
  opened: boolean
  onClose: () => void
  /** Called after the report has left the list, even if another operator settled it. */
  onSettled: () => void
}

const MESSAGES = {
  takenDown: 'Post taken down.',
  alreadyDeleted: 'The post had already been deleted.',
  dismissed: 'Another operator dismissed the report, so the post was not taken down.',
}

/** Takes a post down. @returns the outcome: another operator may have settled the report in the meantime */
const takeDown = async ({ id, post_id }: Report): Promise<keyof typeof MESSAGES> => {
  try {
    await client.reports.takeDown.mutate({ report_id: id })
    return 'takenDown'
  } catch (error) {
    if (failureOf(error).code !== 'report_not_found') throw error
  }
  try {
    await client.posts.get.query({ post_id })
    return 'dismissed'
  } catch (error) {
    if (failureOf(error).code !== 'post_not_found') throw error
    return 'alreadyDeleted'
  }
}

/** Asks for confirmation before a reported post is deleted. */
export const TakeDown = ({ report, opened, onClose, onSettled }: TakeDownProps) => {
  const deletion = useMutation({
    mutationFn: takeDown,
    onSuccess: async outcome => {
      onClose()
      await queries.invalidateQueries(api.reports.pathFilter())
      notifySuccess(MESSAGES[outcome])
      onSettled()
    },
  })
  return (
    <Confirm
      opened={opened}
      onClose={() => {
        deletion.reset()
        onClose()
      }}
      title="Take down this post?"
      action="Take down post"
      onConfirm={() => deletion.mutate(report)}
      pending={deletion.isPending}
      error={deletion.error}
    >
      <Text>
        This deletes the post by <b>@{report.author_handle}</b> for everyone, including its author:
      </Text>
      <List my="sm" withPadding>
        <List.Item>Its address stops working immediately.</List.Item>
        <List.Item>Its likes and comments are deleted too.</List.Item>
        <List.Item>All reports of it are closed.</List.Item>
      </List>
      <Text>This can’t be undone. The author is not notified.</Text>
    </Confirm>
  )
}
