import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { api } from '../api.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { showErrors } from '../feedback/form-errors.ts'
import { notifySuccess } from '../feedback/notify.ts'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { Section } from '../shell/Section.tsx'
import { refreshSpace } from './space-cache.ts'

const FIELDS = ['name'] as const

/** Changes the name of a space. */
export const SpaceName = ({ subdomain, name }: { subdomain: string; name: string }) => {
  const form = useForm({ initialValues: { name } })
  const knownName = useRef(name)
  // An import or another person can change the name. Show the new name, unless you have edited the field.
  useEffect(() => {
    if (name === knownName.current) return
    knownName.current = name
    if (!form.isDirty()) form.setValues({ name })
    form.resetDirty({ name })
  })
  const guard = useLeaveGuard(form.isDirty())
  const rename = useMutation(
    api.spaces.rename.mutationOptions({
      onSuccess: async space => {
        form.setValues({ name: space.name })
        form.resetDirty({ name: space.name })
        await refreshSpace()
        notifySuccess('Name saved.')
      },
      onError: error => showErrors(form, error, FIELDS),
    }),
  )
  return (
    <Section
      title="Name"
      text="Shown to visitors and in lists of spaces. The site’s address does not change."
    >
      <form onSubmit={form.onSubmit(({ name }) => rename.mutate({ subdomain, name }))} noValidate>
        <Stack>
          <TextInput
            label="Space name"
            maxLength={limits.spaceName}
            maw="28rem"
            required
            withAsterisk={false}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <FormFailure error={rename.error} names={FIELDS} />
          <Group>
            <Button type="submit" loading={rename.isPending} disabled={!form.isDirty()}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
      {guard}
    </Section>
  )
}
