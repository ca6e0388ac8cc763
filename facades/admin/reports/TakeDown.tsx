import { List, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { api, client, type Outputs, queries } from '../api.ts'
import { Confirm } from '../feedback/Confirm.tsx'
import { failureOf } from '../feedback/failure.ts'
import { notifySuccess } from '../feedback/notify.ts'

type Listed = Outputs['reports']['list'][number]

interface TakeDownProps {
  report: Listed
  opened: boolean
  onClose: () => void
  /** Called when the report is off the list, whoever settled it. */
  onSettled: () => void
}

const OUTCOMES = {
  done: 'The post has been taken down.',
  gone: 'The post had been deleted already.',
  dismissed: 'The report has been dismissed in the meantime, so the post was left alone.',
}

/** @returns what became of the report: somebody else may have settled it since it was listed */
const takeDown = async ({ id, post_id }: Listed): Promise<keyof typeof OUTCOMES> => {
  try {
    await client.reports.takeDown.mutate({ report_id: id })
    return 'done'
  } catch (error) {
    if (failureOf(error).code !== 'report_not_found') throw error
  }
  try {
    await client.posts.get.query({ post_id })
    return 'dismissed'
  } catch (error) {
    if (failureOf(error).code !== 'post_not_found') throw error
    return 'gone'
  }
}

/** Asks before a reported post is deleted, and says what goes with it. */
export const TakeDown = ({ report, opened, onClose, onSettled }: TakeDownProps) => {
  const deletion = useMutation({
    mutationFn: takeDown,
    onSuccess: async outcome => {
      onClose()
      await queries.invalidateQueries(api.reports.pathFilter())
      notifySuccess(OUTCOMES[outcome])
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
      title="Take this post down?"
      action="Take the post down"
      onConfirm={() => deletion.mutate(report)}
      pending={deletion.isPending}
      error={deletion.error}
    >
      <Text>
        The post by <b>@{report.author_handle}</b> is deleted for everybody, its author included:
      </Text>
      <List my="sm" withPadding>
        <List.Item>Its address stops opening at once.</List.Item>
        <List.Item>Its likes and comments go with it.</List.Item>
        <List.Item>All reports of it are settled.</List.Item>
      </List>
      <Text>Nobody can bring it back. Its author is not told.</Text>
    </Confirm>
  )
}
