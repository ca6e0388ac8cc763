import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { notifySuccess } from '../ui/notify.ts'
import { Section } from '../ui/Section.tsx'
import { useFormMutation } from '../ui/use-form-mutation.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.tsx'

/** Changes the name of a space. */
export const SpaceName = ({ subdomain, name }: { subdomain: string; name: string }) => {
  const { form, mutation, props, failure } = useFormMutation(
    { initialValues: { name } },
    api.spaces.rename.mutationOptions({
      onSuccess: (space, sent) => {
        // Keep what was typed while the save was in progress.
        if (form.getValues().name === sent.name) form.setValues({ name: space.name })
        form.resetDirty({ name: space.name })
        notifySuccess('Name saved.')
      },
    }),
  )
  const knownName = useRef(name)
  // An import or another person can change the name. Show the new name, unless you have edited the field.
  useEffect(() => {
    if (name === knownName.current) return
    knownName.current = name
    if (!form.isDirty()) form.setValues({ name })
    form.resetDirty({ name })
  })
  const guard = useLeaveGuard(form.isDirty())
  return (
    <Section
      title="Name"
      text="Shown to visitors and in lists of spaces. The site’s address does not change."
    >
      <form {...props(({ name }) => ({ subdomain, name }))}>
        <Stack>
          <TextInput
            label="Space name"
            maw="28rem"
            required
            withAsterisk={false}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          {failure}
          <Group>
            <Button type="submit" loading={mutation.isPending} disabled={!form.isDirty()}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
      {guard}
    </Section>
  )
}
