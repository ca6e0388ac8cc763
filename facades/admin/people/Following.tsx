import { Button, Group, Stack, TextInput } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import picture from '../../shared/illustrations/people.svg?raw'
import { api, queryClient, root, rpc } from '../api.ts'
import { Empty } from '../ui/Empty.tsx'
import { PagedList, usePages } from '../ui/Loaded.tsx'
import { LoadingRows } from '../ui/Loading.tsx'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { counted } from '../ui/numbers.ts'
import { rowButton } from '../ui/RowButton.tsx'
import { Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { type Person, PersonRow } from './PersonRow.tsx'

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
          href={new URL('following', root).href}
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
              picture={picture}
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
      onSuccess: () => {
        form.reset()
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
