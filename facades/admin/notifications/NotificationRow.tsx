import { Anchor, Badge, Text } from '@mantine/core'
import {
  IconCheck,
  IconClockX,
  IconFlag,
  IconFlagOff,
  IconMessageCircle,
  IconRepeat,
  IconTrashX,
  IconUserCheck,
  IconUserEdit,
  IconUserMinus,
  IconUserOff,
  IconUserPlus,
  IconWebhookOff,
  IconWorldOff,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api, type Outputs, root } from '../api.ts'
import { FormattedText } from '../posts/FormattedText.tsx'
import { reasonOf } from '../schedules/ScheduleRows.tsx'
import { notifyFailure } from '../ui/notify.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { RowIconButton } from '../ui/RowButton.tsx'
import { Row } from '../ui/Rows.tsx'

type Notification = Outputs['notifications']['list']['notifications'][number]

interface NotificationRowProps {
  notification: Notification
  /** Called after a click on the button has marked the notification as read, which removes the button. */
  onRead: () => void
}

const ICONS = {
  commented: IconMessageCircle,
  reblogged: IconRepeat,
  report_dismissed: IconFlagOff,
  report_accepted: IconFlag,
  taken_down: IconTrashX,
  suspended: IconUserOff,
  suspension_lifted: IconUserCheck,
  domain_switched_off: IconWorldOff,
  webhook_switched_off: IconWebhookOff,
  made_owner: IconUserPlus,
  made_editor: IconUserEdit,
  removed_from_space: IconUserMinus,
  schedule_failed: IconClockX,
} as const

/** The view of a space that a notification about it opens, if that is not its settings. */
const VIEWS: Partial<Record<Notification['kind'], string>> = {
  made_owner: 'participants',
  made_editor: 'participants',
  schedule_failed: 'pages',
}

/**
 * Returns the address of the post or comment that the notification is about, or of a view of its space; null if there is
 * nothing to open, for example because it was taken down.
 */
const addressOf = ({ kind, post, space, comment_id, comments_from: from }: Notification): string | null => {
  if (space) return new URL(`admin/spaces/${space.subdomain}/${VIEWS[kind] ?? 'settings'}`, root).href
  if (!post) return null
  const query = from === null ? '' : `?from=${from}`
  const anchor = comment_id === null ? '' : `#comment-${comment_id}`
  return new URL(`posts/${post.id}${query}${anchor}`, root).href
}

/** One notification, with a link to what it is about. The link and a button mark it as read. */
export const NotificationRow = ({ notification, onRead }: NotificationRowProps) => {
  const { id, kind, at, is_read: isRead, text, html, reason } = notification
  const Icon = ICONS[kind]
  const address = addressOf(notification)
  const reading = useMutation(api.notifications.markRead.mutationOptions())
  const note = () => {
    if (!isRead) reading.mutate({ notification_id: id })
  }
  const sentence = sentenceOf(notification)
  return (
    <Row
      icon={<Icon size={20} />}
      title={
        <span style={{ fontWeight: isRead ? 400 : 600 }}>
          {address === null ? (
            sentence
          ) : (
            <Anchor href={address} target="_blank" rel="noopener" onClick={note} onAuxClick={note}>
              {sentence}
            </Anchor>
          )}
        </span>
      }
      badges={
        !isRead && (
          <Badge size="sm" variant="light" tt="none">
            New
          </Badge>
        )
      }
      text={
        <div>
          {html !== null ? (
            <Text component="div" size="sm" lineClamp={3}>
              <FormattedText html={html} />
            </Text>
          ) : (
            text !== '' &&
            kind !== 'removed_from_space' && (
              <Text size="sm" dir="auto" lineClamp={3} style={{ whiteSpace: 'pre-wrap' }}>
                {text}
              </Text>
            )
          )}
          {kind === 'domain_switched_off' && (
            <Text size="sm">
              For a week, its records did not lead to this service or did not prove that the space may use it.
            </Text>
          )}
          {kind === 'made_editor' && (
            <Text size="sm">
              You can change its content, but no longer its settings, keys and participants. Keys, apps,
              webhooks and invitations that you created there have ended.
            </Text>
          )}
          {kind === 'removed_from_space' && (
            <Text size="sm">Keys, apps, webhooks and invitations that you created there have ended.</Text>
          )}
          {kind === 'webhook_switched_off' && (
            <Text size="sm">
              Its address is gone, or did not accept anything for {limits.webhookRetries.days} days. Switch
              the webhook on again once the address works; then it goes on where it stopped.
            </Text>
          )}
          {kind === 'schedule_failed' && reason !== null && (
            <Text size="sm">It was scheduled. Nothing was changed, because {reasonOf(reason)}.</Text>
          )}
          {(kind === 'taken_down' || kind === 'suspended') && (
            <Text size="sm" c="var(--mantine-color-text)" style={{ whiteSpace: 'pre-wrap' }}>
              Reason: {reason === null ? 'none given' : <bdi>{reason}</bdi>}
            </Text>
          )}
          <RelativeTime at={at} />
        </div>
      }
    >
      {!isRead && (
        <RowIconButton
          label="Mark as read"
          icon={<IconCheck size={18} aria-hidden />}
          loading={reading.isPending}
          onClick={() =>
            reading.mutate({ notification_id: id }, { onSuccess: onRead, onError: notifyFailure })
          }
        />
      )}
    </Row>
  )
}

/** What happened, as a sentence without a period. */
const sentenceOf = ({ kind, person, post, space, subject, text }: Notification): ReactNode => {
  const title = <bdi>{post?.title || 'Untitled'}</bdi>
  const name = <bdi>{person?.name ?? 'Someone'}</bdi>
  if (kind === 'commented')
    return (
      <>
        {name} commented on “{title}”
      </>
    )
  if (kind === 'reblogged')
    return (
      <>
        {name} reblogged “{title}”
      </>
    )
  if (kind === 'domain_switched_off')
    return <>A domain of {space ? <bdi>{space.name}</bdi> : 'a space'} was switched off</>
  if (kind === 'webhook_switched_off')
    return <>A webhook of {space ? <bdi>{space.name}</bdi> : 'a space'} was switched off</>
  if (kind === 'made_owner') return <>You are now an owner of {space && <bdi>{space.name}</bdi>}</>
  if (kind === 'made_editor') return <>You are now an editor of {space && <bdi>{space.name}</bdi>}</>
  if (kind === 'removed_from_space')
    return (
      <>
        You are no longer a participant of <bdi>{text}</bdi>
      </>
    )
  if (kind === 'schedule_failed')
    return <>A page of {space && <bdi>{space.name}</bdi>} was not saved or deleted</>
  if (kind === 'taken_down') return `The operators took your ${subject} down`
  if (kind === 'suspended') return 'The operators suspended your account'
  if (kind === 'suspension_lifted') return 'The operators lifted the suspension of your account'
  if (kind === 'report_accepted') return `The operators took down a ${subject} that you reported`
  return `The operators looked at a ${subject} that you reported, and left it in place`
}
