import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDidUpdate } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { userRules } from '../../../routers/api/rules.ts'
import { mergeFields } from '../../shared/merge-fields.ts'
import { api, type Inputs, type Outputs, queryClient, root, rpc } from '../api.ts'
import { useSession } from '../session.ts'
import { CharactersLeft } from '../ui/CharactersLeft.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf, fieldErrors } from '../ui/failure.ts'
import { notifySuccess } from '../ui/notify.ts'
import { SaveStatus } from '../ui/SaveStatus.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.tsx'

const { profile: rules } = userRules

type Profile = Outputs['me']['get']

const FIELDS = ['handle', 'display_name', 'bio'] as const
const DESCRIPTION_BELOW = ['label', 'input', 'description', 'error'] as (
  | 'label'
  | 'input'
  | 'description'
  | 'error'
)[]

const valuesOf = ({ handle, display_name, bio }: Profile) => ({
  handle,
  display_name: display_name ?? '',
  bio: bio ?? '',
})
type Values = ReturnType<typeof valuesOf>

/** Returns only the edited fields, because the others may have been changed in another window. */
const changesOf = (values: Values, saved: Values): Inputs['me']['update'] =>
  Object.fromEntries(FIELDS.filter(name => values[name] !== saved[name]).map(name => [name, values[name]]))

/** Form for handle, display name and bio. */
export const ProfileForm = ({ profile }: { profile: Profile }) => {
  const form = useForm({ initialValues: valuesOf(profile) })
  const isUnsaved = form.isDirty()
  const guard = useLeaveGuard(isUnsaved)
  /** Takes the saved fields, except those that differ from `before`: the person has edited them since. */
  const take = (saved: Values, before: Values) => {
    form.setValues(mergeFields(before, form.getValues(), saved).fields)
    form.setInitialValues(saved)
  }
  // Another window can change the profile.
  useDidUpdate(() => take(valuesOf(profile), form.getInitialValues()), [profile])
  const save = useMutation({
    mutationFn: (values: Values) => rpc.me.update.mutate(changesOf(values, form.getInitialValues())),
    onSuccess: async (saved, sent) => {
      take(valuesOf(saved), sent)
      queryClient.setQueryData(api.me.get.queryKey({}), saved)
      notifySuccess('Profile saved.')
      await Promise.all([
        queryClient.invalidateQueries(api.me.pathFilter()),
        queryClient.invalidateQueries(api.accounts.pathFilter()),
        queryClient.invalidateQueries(api.writing.pathFilter()),
      ])
    },
    onError: error => {
      const failure = failureOf(error)
      form.setErrors(
        failure.code === 'handle_taken'
          ? { handle: 'This handle is taken. Choose another one.' }
          : fieldErrors(failure, FIELDS),
      )
    },
  })
  const isTaken = save.isError && failureOf(save.error).code === 'handle_taken'
  return (
    <form onSubmit={form.onSubmit(values => save.mutate(values))} noValidate>
      {guard}
      <Stack>
        <div>
          <TextInput
            label="Handle"
            leftSection="@"
            description={`${rules.handle.min_length} to ${rules.handle.max_length} letters, digits, dots and underscores. It is part of your profile’s address: ${new URL('@', root).href.replace(/^https?:\/\//, '')}…`}
            inputWrapperOrder={DESCRIPTION_BELOW}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maw="24rem"
            {...form.getInputProps('handle')}
          />
          <HandleWarning handle={profile.handle} wanted={form.values.handle} />
        </div>
        <TextInput
          label="Display name"
          description={<CharactersLeft text={form.values.display_name} max={rules.display_name.max_length} />}
          inputWrapperOrder={DESCRIPTION_BELOW}
          placeholder={profile.handle}
          autoComplete="name"
          maw="24rem"
          {...form.getInputProps('display_name')}
        />
        <Textarea
          label="About you"
          description={<CharactersLeft text={form.values.bio} max={rules.bio.max_length} />}
          inputWrapperOrder={DESCRIPTION_BELOW}
          autosize
          minRows={4}
          maxRows={16}
          {...form.getInputProps('bio')}
        />
        {!isTaken && <FormFailure error={save.error} names={FIELDS} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!isUnsaved}>
            Save profile
          </Button>
          {isUnsaved && (
            <Button variant="subtle" color="gray" onClick={() => form.reset()} disabled={save.isPending}>
              Discard changes
            </Button>
          )}
          <SaveStatus isUnsaved={isUnsaved} />
        </Group>
      </Stack>
    </form>
  )
}

/**
 * While a new handle is typed, warns that the current one will be given up. A change of letter case shows no warning.
 */
export const HandleWarning = ({ handle, wanted }: { handle: string; wanted: string }) => {
  const { is_operator: isOperator } = useSession()
  const typed = wanted.trim().replace(/^@/, '')
  const address = new URL(`@${handle}`, root).href.replace(/^https?:\/\//, '')
  return (
    <div role="status">
      {typed !== '' && typed.toLowerCase() !== handle.toLowerCase() && (
        <Alert
          color="yellow"
          icon={<IconAlertTriangle aria-hidden />}
          mt="sm"
          title={`You will give up “${handle}”`}
        >
          {address} will stop working, without a redirect, and anyone can take the handle right away. You will
          sign in with the new one.
          {isOperator &&
            ' The configuration of this service names your current handle as an operator. Update it too, or whoever takes the handle becomes an operator.'}
        </Alert>
      )}
    </div>
  )
}
