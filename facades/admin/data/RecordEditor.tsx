import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { limits } from '../../../routers/rules.ts'
import type { EditorHandle } from '../editor/CodeEditor.tsx'
import { useReturn } from '../editor/use-return.ts'
import { useSaveKey } from '../editor/use-save-key.ts'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { UnsavedMark } from '../feedback/UnsavedMark.tsx'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { When } from '../feedback/When.tsx'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Conflict } from './Conflict.tsx'
import { DeleteRecord } from './DeleteRecord.tsx'
import css from './data.module.css'
import { placeIn, readJsonText, useJsonText } from './use-json-text.ts'
import { type DataRecord, useRecordDraft } from './use-record-draft.ts'
import { ValueAside } from './ValueAside.tsx'
import { ValueEditor } from './ValueEditor.tsx'

const route = getRouteApi('/inside/spaces/$subdomain/data/$key')
const FIELDS = ['value', 'description'] as const

/** One record, to be read and changed. */
export const RecordEditor = ({ record }: { record: DataRecord }) => {
  const { subdomain, name } = useSpace()
  const navigate = route.useNavigate()
  const editor = useRef<EditorHandle>(null)
  const draft = useRecordDraft(record)
  const { base, text, description, theirs, save, restore } = draft
  const json = useJsonText(text)
  const [isDeleting, setIsDeleting] = useState(false)
  const guard = useLeaveGuard(draft.isUnsaved)
  const failure = save.error && failureOf(save.error)
  const errors = failure ? fieldErrors(failure, FIELDS) : {}
  const isGone = failure?.code === 'data_not_found'

  const goTo = (line: number, column: number) => editor.current?.goTo(line, column)
  const submit = (send: typeof save | typeof restore) => {
    if (save.isPending || restore.isPending) return
    const { fault } = readJsonText(text)
    if (fault) goTo(fault.line, fault.column)
    else send.mutate({ text, description })
  }
  const onSave = () => {
    if (draft.isUnsaved || theirs) submit(save)
  }
  useSaveKey(onSave)
  // The editor is there again once it is decided what is to be kept; the keyboard goes on in it.
  useReturn(theirs !== null, () => editor.current?.focus())
  return (
    <>
      <ViewTitle
        title={base.key}
        of={name}
        text={
          <>
            Version {base.version}, saved <When at={base.updated_at} />
          </>
        }
      >
        <UnsavedMark isUnsaved={draft.isUnsaved} />
        <Button
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          onClick={() => setIsDeleting(true)}
        >
          Delete
        </Button>
        {!theirs && (
          <Button
            leftSection={<IconDeviceFloppy size={18} aria-hidden />}
            onClick={onSave}
            loading={save.isPending}
            disabled={!draft.isUnsaved}
            aria-keyshortcuts="Control+S Meta+S"
          >
            Save
          </Button>
        )}
      </ViewTitle>
      <div className={css.columns}>
        <Stack>
          {isGone ? (
            <Alert color="yellow" title="Somebody deleted this record" role="alert">
              <Stack gap="sm" align="flex-start">
                Your text is still here.
                <FormFailure error={restore.error} />
                <Button size="compact-sm" onClick={() => submit(restore)} loading={restore.isPending}>
                  Make it again with your text
                </Button>
              </Stack>
            </Alert>
          ) : failure?.code === 'version_conflict' ? null : (
            <FormFailure error={save.error} names={FIELDS} />
          )}
          {draft.aside !== null && (
            <Alert color="gray" title="You took their version" role="status">
              <Group gap="sm">
                <Button variant="default" size="compact-sm" onClick={draft.bringBack}>
                  Bring my text back
                </Button>
                <Button variant="subtle" size="compact-sm" onClick={draft.forgetAside}>
                  Let it go
                </Button>
              </Group>
            </Alert>
          )}
          <TextInput
            label="Description"
            description="For the people who work on the space; pages do not see it."
            maxLength={limits.dataDescription}
            autoComplete="off"
            value={description}
            onChange={event => draft.setDescription(event.currentTarget.value)}
            error={errors.description}
          />
          {theirs ? (
            <Conflict
              theirs={theirs}
              text={text}
              onChange={draft.setText}
              onSave={onSave}
              isSaving={save.isPending}
              onTakeTheirs={draft.takeTheirs}
              theirDescription={draft.theirDescription}
              onTakeDescription={() => draft.setDescription(draft.theirDescription ?? '')}
              diagnostics={json.diagnostics}
            />
          ) : (
            <ValueEditor
              ref={editor}
              text={text}
              onChange={draft.setText}
              json={json}
              onSave={onSave}
              error={errors.value}
              onGoTo={goTo}
            />
          )}
        </Stack>
        <ValueAside
          recordKey={base.key}
          json={json}
          stored={{ schema: base.schema, warnings: base.warnings }}
          onGoTo={offset => {
            const { line, column } = placeIn(json.text, offset)
            goTo(line, column)
          }}
        />
      </div>
      <DeleteRecord
        recordKey={base.key}
        opened={isDeleting}
        onClose={() => setIsDeleting(false)}
        onDeleted={() =>
          void navigate({ to: '/spaces/$subdomain/data', params: { subdomain }, ignoreBlocker: true })
        }
      />
      {guard}
    </>
  )
}
