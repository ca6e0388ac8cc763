import { Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { limits } from '../../../routers/api/rules.ts'
import { DraftNotices } from '../drafts/DraftNotices.tsx'
import { useEditing } from '../drafts/use-editing.ts'
import type { OpenEditor } from '../editor/EditorSession.tsx'
import { failureOf, fieldErrors } from '../feedback/failure.ts'
import { useSpace } from '../use-space.ts'
import { DeleteRecord } from './DeleteRecord.tsx'
import css from './data.module.css'
import { isKey, KeyField } from './KeyField.tsx'
import { RecordConflict } from './RecordConflict.tsx'
import { RecordHeader } from './RecordHeader.tsx'
import { FIELDS, RecordNotices } from './RecordNotices.tsx'
import { positionAt, readJsonText, useJsonText } from './use-json-text.ts'
import { type DataRecord, isStored, type RecordValues, useRecordDraft } from './use-record-draft.ts'
import { ValueEditor, type ValueHandle } from './ValueEditor.tsx'
import { ValueSidebar } from './ValueSidebar.tsx'

interface RecordEditorProps extends OpenEditor<RecordValues> {
  /** The record as read when the editor opened; null for a new one. */
  record: DataRecord | null
  /** The initial key of a new record. */
  initialKey: string
}

/** Edits a new or existing record. Creating one never overwrites an existing record with the same key. */
export const RecordEditor = ({ record, restored, newId, initialKey, onCreated }: RecordEditorProps) => {
  const { subdomain } = useSpace()
  const navigate = useNavigate()
  const editor = useRef<ValueHandle>(null)
  // The changes may already be saved: the window may have been closed before the response to the save arrived.
  const [changes] = useState(() =>
    restored && record && isStored(record, restored.content.fields) ? null : restored,
  )
  const draft = useRecordDraft(record, changes?.content ?? null, {
    onSaved: submitted => {
      // Drop the kept draft here too, because the effect below does not run if the person has left this view.
      const { text, description } = latest.current
      if (text === submitted.text && description === submitted.description) kept.note(null)
    },
    onCreated: createdKey => {
      // The focused button is gone; move focus to the editor.
      editor.current?.focus()
      onCreated(createdKey)
    },
  })
  const { base, text, description, theirs, save, restore } = draft
  const latest = useRef({ text, description })
  latest.current = { text, description }
  const [key, setKey] = useState(record?.key ?? changes?.content.fields.key ?? initialKey)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const json = useJsonText(text)
  const [isDeleting, setIsDeleting] = useState(false)
  const isUnsaved = draft.isUnsaved || (!base && key !== initialKey)
  const place = { subdomain, kind: 'record', thing: base?.key ?? newId, isNew: !base } as const
  const { kept, restoredAt, guard } = useEditing<RecordValues>({
    place,
    restored,
    restoredAt: changes?.at ?? null,
    isUnsaved,
    content: () => ({
      fields: { key, text, description },
      base: base && {
        fields: { key: base.key, text: draft.baseText, description: base.description ?? '' },
        version: String(base.version),
      },
    }),
    changes: [key, text, description, base],
    save: () => onSave(),
    hasConflict: theirs !== null,
    focus: () => editor.current?.focus(),
  })
  const failure = save.error && failureOf(save.error)
  const errors = failure ? fieldErrors(failure, FIELDS) : {}
  /** Returns the service's error about a field, unless the field has changed since it was sent. */
  const errorOf = (name: (typeof FIELDS)[number], value: string, sent: string | undefined) =>
    value === sent ? errors[name] : undefined

  const goTo = (line: number, column: number) => editor.current?.goTo(line, column)
  const submit = (send: typeof save) => {
    if (save.isPending || restore.isPending) return
    setIsSubmitted(true)
    if (!isKey(key)) return
    const { error } = readJsonText(text)
    if (error) goTo(error.line, error.column)
    else send.mutate({ key, text, description })
  }
  const onSave = () => {
    if (!base || draft.isUnsaved || theirs) submit(save)
  }
  return (
    <>
      <RecordHeader draft={draft} onSave={onSave} onDelete={() => setIsDeleting(true)} />
      <div className={css.columns}>
        <Stack>
          <DraftNotices
            place={place}
            restoredAt={restoredAt}
            kept={kept}
            onDiscard={() => {
              draft.discard()
              if (!base) setKey(initialKey)
            }}
          />
          <RecordNotices draft={draft} onRestore={() => submit(restore)} />
          {!base && (
            <KeyField
              value={key}
              onChange={setKey}
              onEnter={onSave}
              isSubmitted={isSubmitted}
              isTaken={failure?.code === 'data_key_taken' && save.variables?.key === key}
              error={errorOf('key', key, save.variables?.key)}
            />
          )}
          <TextInput
            label="Description"
            description="For the people who work on this space. Pages can’t use it."
            maxLength={limits.dataDescription}
            autoComplete="off"
            value={description}
            onChange={event => draft.setDescription(event.currentTarget.value)}
            error={errorOf('description', description, save.variables?.description)}
          />
          {theirs ? (
            <RecordConflict
              theirs={theirs}
              text={text}
              onChange={draft.setText}
              onSave={onSave}
              isSaving={save.isPending}
              onAcceptTheirs={draft.acceptTheirs}
              theirDescription={draft.theirDescription}
              onAcceptDescription={() => draft.setDescription(draft.theirDescription ?? '')}
              diagnostics={json.diagnostics}
            />
          ) : (
            <ValueEditor
              ref={editor}
              text={text}
              onChange={draft.setText}
              json={json}
              onSave={onSave}
              error={errorOf('value', text, save.variables?.text)}
              onGoTo={goTo}
            />
          )}
        </Stack>
        <ValueSidebar
          recordKey={base?.key ?? (isKey(key) ? key : '')}
          json={json}
          {...(base ? { stored: { schema: base.schema, warnings: base.warnings } } : {})}
          onGoTo={offset => {
            const { line, column } = positionAt(json.text, offset)
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
