import { Button } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { api, type Outputs } from '../api.ts'
import { useSession } from '../session.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { failureOf } from '../ui/failure.ts'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { exactTime } from '../ui/RelativeTime.tsx'
import { rowButton } from '../ui/RowButton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'

export type Schedule = Outputs['schedules']['list'][number]

interface ScheduleRowsProps {
  subdomain: string
  schedules: readonly Schedule[]
  /** Gets the focus when a row is gone. */
  focus: RefObject<HTMLElement | null>
}

/** What is scheduled for pages, and what could not be done. */
export const ScheduleRows = ({ subdomain, schedules, focus }: ScheduleRowsProps) => {
  const { handle } = useSession()
  const cancel = useMutation(
    api.schedules.cancel.mutationOptions({
      onSuccess: () => {
        notifySuccess('Removed from what is scheduled.')
        focus.current?.focus()
      },
      onError: error => {
        if (failureOf(error).code !== 'schedule_not_found') return notifyFailure(error)
        notifySuccess('This is no longer scheduled: it was already done or cancelled.')
        focus.current?.focus()
      },
    }),
  )
  if (schedules.length === 0) return null
  return (
    <Rows label="Scheduled">
      {schedules.map(schedule => {
        const name = nameOf(schedule)
        const { id, action, at, failure } = schedule
        return (
          <Row
            key={id}
            icon={failure === null ? <IconClock size={20} /> : <IconAlertTriangle size={20} />}
            title={<PageLink subdomain={subdomain} schedule={schedule} isMine={schedule.handle === handle} />}
            text={
              <>
                {failure === null
                  ? `Will be ${DONE[action]} on ${exactTime(at)}.`
                  : `Was not ${DONE[action]} on ${exactTime(at)}, because ${reasonOf(failure)}.`}{' '}
                Scheduled by {schedule.handle === handle ? 'you' : <bdi>{schedule.handle}</bdi>}.
              </>
            }
          >
            <Button
              {...rowButton}
              aria-label={
                failure === null
                  ? `Cancel: ${name} will be ${DONE[action]}`
                  : `Remove: ${name} was not ${DONE[action]}`
              }
              loading={cancel.isPending && cancel.variables.schedule_id === id}
              onClick={() => cancel.mutate({ subdomain, schedule_id: id })}
            >
              {failure === null ? 'Cancel' : 'Remove'}
            </Button>
          </Row>
        )
      })}
    </Rows>
  )
}

const DONE: Record<Schedule['action'], string> = { save: 'saved', delete: 'deleted' }

const REASONS: Readonly<Record<string, string>> = {
  precondition_failed: 'the page was saved in the meantime',
  page_not_found: 'the page was deleted in the meantime',
  space_not_found: 'whoever scheduled it is no longer a participant',
  slug_taken: 'another page has its slug',
  limit_reached: 'the space has too many pages',
}

/** Why something scheduled was not done, as the end of a sentence. */
export const reasonOf = (failure: string): string => REASONS[failure] ?? 'the service refused it'

const nameOf = ({ slug }: Schedule) => slug?.trim() || 'Untitled page'

interface PageLinkProps {
  subdomain: string
  schedule: Schedule
  isMine: boolean
}

/** The page, or the draft of a new page, which only its author can open. */
const PageLink = ({ subdomain, schedule, isMine }: PageLinkProps) => {
  const { is_new: isNew, thing } = schedule
  if (!isNew)
    return (
      <TextLink to="/spaces/$subdomain/pages/$pageId" params={{ subdomain, pageId: thing }}>
        {nameOf(schedule)}
      </TextLink>
    )
  if (!isMine) return <bdi>{nameOf(schedule)}</bdi>
  return (
    <TextLink to="/spaces/$subdomain/new-page" params={{ subdomain }} search={{ draft: thing }}>
      {nameOf(schedule)}
    </TextLink>
  )
}
