import { Button } from '@mantine/core'
import { IconChecks } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import picture from '../../shared/illustrations/notifications.svg?raw'
import { api, rpc } from '../api.ts'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { Rows } from '../ui/Rows.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { NotificationRow } from './NotificationRow.tsx'

/** What others did with your posts, comments and reports, latest first. */
export const Notifications = () => {
  const view = useRef<HTMLDivElement>(null)
  const list = usePages(api.notifications.list.pathKey(), (cursor, options) =>
    rpc.notifications.list.query({ cursor }, options),
  )
  const reading = useMutation(
    api.notifications.markAllRead.mutationOptions({
      onSuccess: () => {
        notifySuccess('All notifications marked as read.')
        // Move the focus, because the button is disabled now.
        view.current?.focus()
      },
      onError: notifyFailure,
    }),
  )
  const notifications = list.data?.pages.flatMap(page => page.notifications) ?? []
  const days = list.data?.pages[0]?.kept_days
  const latest = notifications[0]
  return (
    <>
      <ViewTitle
        title="Notifications"
        text={`Comments on your posts, reblogs, and decisions of the operators.${days === undefined ? '' : ` They are kept for ${days} days.`}`}
      >
        {latest && (
          <Button
            variant="default"
            leftSection={<IconChecks size={18} aria-hidden />}
            disabled={!list.hasNextPage && notifications.every(({ is_read }) => is_read)}
            loading={reading.isPending}
            onClick={() => reading.mutate({ latest_id: latest.id })}
          >
            Mark all as read
          </Button>
        )}
      </ViewTitle>
      <div ref={view} tabIndex={-1} style={{ outline: 'none' }}>
        <PagedList
          pages={list}
          itemsOf={page => page.notifications}
          what="notifications"
          placeholder={<LoadingRows count={5} lines={2} />}
          empty={
            <Empty
              picture={picture}
              title="No notifications"
              text="You are notified here when someone comments on your posts or reblogs them, and when operators decide about your reports."
            />
          }
        >
          {notifications => (
            <Rows label="Notifications">
              {notifications.map(notification => (
                <NotificationRow
                  key={notification.id}
                  notification={notification}
                  onRead={() => view.current?.focus()}
                />
              ))}
            </Rows>
          )}
        </PagedList>
      </div>
    </>
  )
}
