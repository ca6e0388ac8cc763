import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { limits } from '../../../routers/core/rules.ts'
import type { EditorHandle } from '../editor/CodeEditor.tsx'
import { useReturn } from '../editor/use-return.ts'
import { useSaveKey } from '../editor/use-save-key.ts'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { useSpace } from '../use-space.ts'
import { Conflict } from './Conflict.tsx'
import { DeleteRecord } from './DeleteRecord.tsx'
import css from './data.module.css'
import { isKey, KeyField } from './KeyField.tsx'
import { RecordHeader } from './RecordHeader.tsx'
import { FIELDS, RecordNotices } from './RecordNotices.tsx'
import { placeIn, readJsonText, useJsonText } from './use-json-text.ts'
import { type DataRecord, useRecordDraft } from './use-record-draft.ts'
import { ValueAside } from './ValueAside.tsx'
import { ValueEditor } from './ValueEditor.tsx'

interface RecordEditorProps {
  /** As it was last read; null for a new one. */
  record: DataRecord | null
  /** The key that a new one begins with. */
  proposed: string
  /** Called with the key of a new one once it is stored. */
  onCreated: (key: string) => void
}

/** One record, new or not, to be read and changed. What is there under the key of a new one is never replaced. */
export const RecordEditor = ({ record, proposed, onCreated }: RecordEditorProps) => {
  const { subdomain } = useSpace()
  const navigate = useNavigate()
  const editor = useRef<EditorHandle>(null)
  const draft = useRecordDraft(record, made => {
    // What was pressed is there no longer.
    editor.current?.focus()
    onCreated(made)
  })
  const { base, text, description, theirs, save, restore } = draft
  const [key, setKey] = useState(record?.key ?? proposed)
  const [isTried, setIsTried] = useState(false)
  const json = useJsonText(text)
  const [isDeleting, setIsDeleting] = useState(false)
  const guard = useLeaveGuard(draft.isUnsaved || (!base && key !== proposed))
  const failure = save.error && failureOf(save.error)
  const errors = failure ? fieldErrors(failure, FIELDS) : {}

  const goTo = (line: number, column: number) => editor.current?.goTo(line, column)
  const submit = (send: typeof save) => {
    if (save.isPending || restore.isPending) return
    setIsTried(true)
    if (!isKey(key)) return
    const { fault } = readJsonText(text)
    if (fault) goTo(fault.line, fault.column)
    else send.mutate({ key, text, description })
  }
  const onSave = () => {
    if (!base || draft.isUnsaved || theirs) submit(save)
  }
  useSaveKey(onSave)
  // The editor is there again once it is decided what is to be kept; the keyboard goes on in it.
  useReturn(theirs !== null, () => editor.current?.focus())
  const notices = <RecordNotices draft={draft} onRestore={() => submit(restore)} />
  return (
    <>
      <RecordHeader draft={draft} onSave={onSave} onDelete={() => setIsDeleting(true)} />
      <div className={css.columns}>
        <Stack>
          {base && notices}
          {!base && (
            <KeyField
              value={key}
              onChange={setKey}
              onEnter={onSave}
              isTried={isTried}
              isTaken={failure?.code === 'data_key_taken' && save.variables?.key === key}
              error={save.variables?.key === key ? errors.key : undefined}
            />
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
          {!base && notices}
          {!base && (
            <Group>
              <Button onClick={onSave} loading={save.isPending} aria-keyshortcuts="Control+S Meta+S">
                Make the record
              </Button>
              <ButtonLink variant="default" to="/spaces/$subdomain/data" params={{ subdomain }}>
                Cancel
              </ButtonLink>
            </Group>
          )}
        </Stack>
        <ValueAside
          recordKey={base?.key ?? (isKey(key) ? key : '')}
          json={json}
          {...(base ? { stored: { schema: base.schema, warnings: base.warnings } } : {})}
          onGoTo={offset => {
            const { line, column } = placeIn(json.text, offset)
            goTo(line, column)
          }}
        />
      </div>
      {base && (
        <DeleteRecord
          recordKey={base.key}
          opened={isDeleting}
          onClose={() => setIsDeleting(false)}
          onDeleted={() =>
            void navigate({ to: '/spaces/$subdomain/data', params: { subdomain }, ignoreBlocker: true })
          }
        />
      )}
      {guard}
    </>
  )
}
