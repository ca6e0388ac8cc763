import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import following from '../../shared/illustrations/people.svg?raw'
import muted from '../../shared/illustrations/quiet.svg?raw'
import { api, type Outputs, queryClient, root, rpc } from '../api.ts'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { rowButton } from '../ui/RowButton.tsx'
import { Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { type Person, PersonRow } from './PersonRow.tsx'

/** The people whom the account follows, and the people whom it has muted or blocked. */
export const People = () => (
  <>
    <ViewTitle title="People" text="Only you can see whom you follow, mute or block." />
    <Stack gap="lg" maw="48rem">
      <Following />
      <Muted />
    </Stack>
  </>
)

/** Lists the people that the account follows, last followed first, with a form to follow another person. */
export const Following = () => {
  const list = usePages(api.follows.list.pathKey(), (cursor, options) =>
    rpc.follows.list.query({ cursor }, options),
  )
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <Section
      title={count === 0 ? 'Following' : `Following ${counted(count, 'person', 'people')}`}
      text="The posts of people you follow are on a separate page, newest first."
      action={
        <Button
          component="a"
          href={new URL('./following', root).href}
          target="_blank"
          rel="noopener"
          variant="default"
          size="sm"
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          Open their posts
        </Button>
      }
    >
      <Stack>
        <HandleForm
          label="Follow a person"
          action="Follow"
          save={async handle => {
            await rpc.follows.add.mutate({ handle })
            await queryClient.invalidateQueries(api.follows.pathFilter())
            notifySuccess(`You follow ${handle.trim().replace(/^@?/, '@')}.`)
          }}
        />
        <PagedList
          pages={list}
          itemsOf={page => page.people}
          what="follows"
          placeholder={<LoadingRows count={3} />}
          empty={
            <Empty
              picture={following}
              title="You don’t follow anyone"
              text="Enter a handle above, or choose Follow on a person’s profile or below one of their posts."
            />
          }
        >
          {(people, list) => (
            <Rows label="People you follow">
              {people.map(person => (
                <FollowedRow key={person.handle} person={person} onRemoved={() => list.current?.focus()} />
              ))}
            </Rows>
          )}
        </PagedList>
      </Stack>
    </Section>
  )
}

interface FollowedRowProps {
  person: Person
  /** Called before the row disappears. */
  onRemoved: () => void
}

const FollowedRow = ({ person, onRemoved }: FollowedRowProps) => {
  const { handle } = person
  const unfollow = useMutation(
    api.follows.remove.mutationOptions({
      onSuccess: () => {
        notifySuccess(`You no longer follow @${handle}.`)
        onRemoved()
      },
      onError: notifyFailure,
    }),
  )
  return (
    <PersonRow person={person} verb="Followed">
      <Button
        {...rowButton}
        aria-label={`Unfollow ${handle}`}
        loading={unfollow.isPending}
        onClick={() => unfollow.mutate({ handle })}
      >
        Unfollow
      </Button>
    </PersonRow>
  )
}

interface HandleFormProps {
  label: string
  /** Label of the button. */
  action: string
  save: (handle: string) => Promise<void>
}

/** A form that adds a person to a list by handle. */
export const HandleForm = ({ label, action, save }: HandleFormProps) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { handle: '' } },
    {
      mutationFn: save,
      onSuccess: (_, sent) => {
        // Keep the next handle if it was typed meanwhile.
        if (form.getValues().handle === sent) form.reset()
      },
    },
  )
  return (
    <form {...props(({ handle }) => handle)}>
      <Stack gap="sm">
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            label={label}
            placeholder="Handle"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            style={{ flex: 1 }}
            errorProps={{ role: 'alert' }}
            inputWrapperOrder={['label', 'error', 'input']}
            {...form.getInputProps('handle')}
          />
          <Button type="submit" loading={mutation.isPending}>
            {action}
          </Button>
        </Group>
        {failure}
      </Stack>
    </form>
  )
}

/** Lists the people that the account has muted or blocked, latest first. */
export const Muted = () => {
  const list = usePages(api.mutes.list.pathKey(), (cursor, options) =>
    rpc.mutes.list.query({ cursor }, options),
  )
  const count = list.data?.pages[0]?.count ?? 0
  return (
    <Section
      title={count === 0 ? 'Muted and blocked' : `Muted and blocked (${count})`}
      text="You don’t see their posts in your lists, and are not notified of what they do. People you blocked also can’t like, comment on or reblog your posts, or follow you."
    >
      <PagedList
        pages={list}
        itemsOf={page => page.people}
        what="muted and blocked people"
        placeholder={<LoadingRows count={2} />}
        empty={
          <Empty
            picture={muted}
            title="You haven’t muted or blocked anyone"
            text="Choose “Mute or block” on a person’s profile, or below one of their posts or comments."
          />
        }
      >
        {(people, list) => (
          <Rows label="People you muted or blocked">
            {people.map(person => (
              <MutedRow key={person.handle} person={person} onRemoved={() => list.current?.focus()} />
            ))}
          </Rows>
        )}
      </PagedList>
    </Section>
  )
}

interface MutedRowProps {
  person: Outputs['mutes']['list']['people'][number]
  /** Called before the row disappears. */
  onRemoved: () => void
}

const MutedRow = ({ person, onRemoved }: MutedRowProps) => {
  const { handle, is_blocked: isBlocked } = person
  const action = isBlocked ? 'Unblock' : 'Unmute'
  const remove = useMutation(
    api.mutes.remove.mutationOptions({
      onSuccess: () => {
        notifySuccess(`@${handle} is no longer ${isBlocked ? 'blocked' : 'muted'}.`)
        onRemoved()
      },
      onError: notifyFailure,
    }),
  )
  return (
    <PersonRow person={person} verb={isBlocked ? 'Blocked' : 'Muted'}>
      <Button
        {...rowButton}
        aria-label={`${action} ${handle}`}
        loading={remove.isPending}
        onClick={() => remove.mutate({ handle })}
      >
        {action}
      </Button>
    </PersonRow>
  )
}
