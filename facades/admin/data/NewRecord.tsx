import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { limits, rules } from '../../../routers/rules.ts'
import { api, queries } from '../api.ts'
import type { EditorHandle } from '../editor/CodeEditor.tsx'
import { useSaveKey } from '../editor/use-save-key.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { notifyDone } from '../feedback/notify.ts'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { ButtonLink, TextLink } from '../shell/ButtonLink.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import css from './data.module.css'
import { placeIn, readJsonText, useJsonText } from './use-json-text.ts'
import { ValueAside } from './ValueAside.tsx'
import { ValueEditor } from './ValueEditor.tsx'

const route = getRouteApi('/inside/spaces/$subdomain/new-record')
const FIELDS = ['key', 'value', 'description'] as const
const KEY = new RegExp(rules.data.key_pattern)
const KEY_RULE = 'Lower-case letters, digits and hyphens, at most 60; no hyphen at either end.'
const BEGINNING = '{\n  \n}'

/** Makes a record. What is there under its key already is never replaced. */
export const NewRecord = () => {
  const { subdomain, name } = useSpace()
  const { key: proposed = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const editor = useRef<EditorHandle>(null)
  const form = useForm({ initialValues: { key: proposed, description: '' } })
  const [text, setText] = useState(BEGINNING)
  const json = useJsonText(text)
  const create = useMutation(
    api.records.create.mutationOptions({
      onSuccess: async record => {
        queries.setQueryData(api.data.get.queryKey({ subdomain, key: record.key }), record)
        void queries.invalidateQueries(api.records.pathFilter())
        notifyDone(`Made the record ${record.key}`)
        await navigate({
          to: '/spaces/$subdomain/data/$key',
          params: { subdomain, key: record.key },
          ignoreBlocker: true,
        })
      },
      onError: error => form.setErrors(fieldErrors(failureOf(error), FIELDS)),
    }),
  )
  const isTaken = create.error && failureOf(create.error).code === 'data_key_taken'
  const isTakenStill = isTaken && create.variables?.key === form.values.key
  const isUnsaved = text !== BEGINNING || form.isDirty()
  const guard = useLeaveGuard(isUnsaved && !create.isSuccess)

  const save = () => {
    if (create.isPending) return
    const { key, description } = form.values
    if (!KEY.test(key)) return form.setErrors({ key: KEY_RULE })
    const { fault } = readJsonText(text)
    if (fault) return editor.current?.goTo(fault.line, fault.column)
    create.mutate({ subdomain, key, value: JSON.parse(text) as unknown, description: description || null })
  }
  useSaveKey(save)
  const goTo = (line: number, column: number) => editor.current?.goTo(line, column)
  return (
    <>
      <ViewTitle title="New record" of={name} />
      <div className={css.columns}>
        <form
          noValidate
          onSubmit={event => {
            event.preventDefault()
            save()
          }}
        >
          <Stack>
            <TextInput
              label="Key"
              description={KEY_RULE}
              required
              withAsterisk={false}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              {...form.getInputProps('key')}
              {...(isTakenStill
                ? {
                    error: (
                      <>
                        Another record has this key; it is unchanged. Choose another key, or{' '}
                        <TextLink
                          size="sm"
                          to="/spaces/$subdomain/data/$key"
                          params={{ subdomain, key: form.values.key }}
                        >
                          open that record
                        </TextLink>
                        .
                      </>
                    ),
                  }
                : {})}
            />
            <TextInput
              label="Description"
              description="For the people who work on the space; pages do not see it."
              maxLength={limits.dataDescription}
              autoComplete="off"
              {...form.getInputProps('description')}
            />
            <ValueEditor
              ref={editor}
              text={text}
              onChange={setText}
              json={json}
              onSave={save}
              error={form.errors.value as string | undefined}
              onGoTo={goTo}
            />
            {!isTaken && <FormFailure error={create.error} names={FIELDS} />}
            <Group>
              <Button type="submit" loading={create.isPending}>
                Make the record
              </Button>
              <ButtonLink variant="default" to="/spaces/$subdomain/data" params={{ subdomain }}>
                Cancel
              </ButtonLink>
            </Group>
          </Stack>
        </form>
        <ValueAside
          recordKey={KEY.test(form.values.key) ? form.values.key : ''}
          json={json}
          onGoTo={offset => {
            const { line, column } = placeIn(json.text, offset)
            goTo(line, column)
          }}
        />
      </div>
      {guard}
    </>
  )
}
