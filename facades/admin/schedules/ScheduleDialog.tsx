import { Button, Divider, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, rpc } from '../api.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { notifySuccess } from '../ui/notify.ts'
import { exactTime } from '../ui/RelativeTime.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import type { DraftPlace } from '../unsaved/draft-place.ts'
import { useSpace } from '../use-space.ts'
import { localTime, toInstant, zone } from './local-time.ts'
import { ScheduleRows } from './ScheduleRows.tsx'

interface ScheduleButtonProps {
  place: DraftPlace
  isUnsaved: boolean
  /** Sends the latest changes to the service. */
  flush: () => Promise<void>
}

/** A button that opens a dialog, which schedules the save of a draft or the deletion of a page, and cancels it. */
export const ScheduleButton = (props: ScheduleButtonProps) => {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <IconButton label="Schedule a change" word="Schedule" onClick={open}>
        <IconClock size={18} />
      </IconButton>
      <Modal opened={isOpen} onClose={close} title="Schedule" size="lg" centered>
        <ScheduleForm {...props} onDone={close} />
      </Modal>
    </>
  )
}

const ACTIONS = { save: 'Save this draft', delete: 'Delete the page' } as const
type Action = keyof typeof ACTIONS

const EXPLANATIONS: Record<Action, string> = {
  save: 'The draft is saved as it is now, without what you change later. If someone saves the page before that time, the draft is not saved: you keep it, and are notified.',
  delete:
    'The address of the page stops working then, whatever the page contains by that time. You can restore the page from the history.',
}

const ScheduleForm = ({
  place: { thing, isNew },
  isUnsaved,
  flush,
  onDone,
}: ScheduleButtonProps & { onDone: () => void }) => {
  const { subdomain } = useSpace()
  const input = useRef<HTMLInputElement>(null)
  const [action, setAction] = useState<Action>(isUnsaved ? 'save' : 'delete')
  const schedules = useQuery(api.schedules.list.queryOptions({ subdomain }))
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { at: '' } },
    {
      mutationKey: api.schedules.save.mutationKey(),
      mutationFn: async (at: string) => {
        if (action === 'delete') return rpc.schedules.delete.mutate({ subdomain, page_id: thing, at })
        await flush()
        return rpc.schedules.save.mutate({ subdomain, thing, at })
      },
      onSuccess: (_, at) => {
        notifySuccess(
          `The ${action === 'save' ? 'draft will be saved' : 'page will be deleted'} on ${exactTime(at)}.`,
        )
        onDone()
      },
    },
  )
  const ofPage = schedules.data?.filter(schedule => schedule.thing === thing) ?? []
  return (
    <Stack>
      <form {...props(({ at }) => toInstant(at))}>
        <Stack>
          {isUnsaved && !isNew && (
            <SegmentedControl
              aria-label="What to schedule"
              value={action}
              onChange={value => setAction(value as Action)}
              data={Object.entries(ACTIONS).map(([value, label]) => ({ value, label }))}
            />
          )}
          <Text size="sm">{EXPLANATIONS[action]}</Text>
          <TextInput
            ref={input}
            type="datetime-local"
            label={action === 'save' ? 'Save on' : 'Delete on'}
            description={`In your time zone, ${zone()}`}
            min={localTime(new Date())}
            data-autofocus
            errorProps={{ role: 'alert' }}
            {...form.getInputProps('at')}
          />
          {failure}
          <Group>
            <Button type="submit" loading={mutation.isPending}>
              {action === 'save' ? 'Schedule the save' : 'Schedule the deletion'}
            </Button>
          </Group>
        </Stack>
      </form>
      {ofPage.length > 0 && (
        <>
          <Divider />
          <ScheduleRows subdomain={subdomain} schedules={ofPage} focus={input} />
        </>
      )}
    </Stack>
  )
}
