import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDidUpdate } from '@mantine/hooks'
import { IconUserEdit } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { limits, rules } from '../../../routers/api/rules.ts'
import { PagesBrokenBy } from '../editor/BrokenPages.tsx'
import type { OpenEditor } from '../editor/EditorSession.tsx'
import { type LastAuthor, lastAuthorOf, SOMEONE } from '../editor/last-author.ts'
import { useChanges } from '../live/changes.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf, fieldErrors } from '../ui/failure.ts'
import { firstField } from '../ui/first-field.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { DraftNotices } from '../unsaved/DraftNotices.tsx'
import { useEditing } from '../unsaved/use-editing.ts'
import { useSpace } from '../use-space.ts'
import css from './data.module.css'
import { RecordConflict } from './RecordConflict.tsx'
import { DeleteRecord, RecordHeader } from './RecordHeader.tsx'
import { openingShape, rememberShape, type ValueShape } from './record-shape.ts'
import { positionAt, readJsonText, useJsonText } from './use-json-text.ts'
import {
  type DataRecord,
  isStored,
  type RecordDraft,
  type RecordValues,
  useRecordDraft,
} from './use-record-draft.ts'
import { ValueEditor, type ValueHandle } from './ValueEditor.tsx'
import { ValueSidebar } from './ValueSidebar.tsx'

interface RecordEditorProps extends OpenEditor<RecordValues> {
  /** The record as read when the editor opened; null for a new one. */
  record: DataRecord | null
  /** The title of the view; by default, the key. */
  title?: string | undefined
  /** The initial key of a new record. */
  initialKey: string
  /** The place in the value at which the editor opens. */
  at?: string | undefined
}

/** Edits a new or existing record. Creating one never overwrites an existing record with the same key. */
export const RecordEditor = ({
  record,
  title,
  restored,
  newId,
  initialKey,
  at,
  onCreated,
}: RecordEditorProps) => {
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
  const [shape, setShape] = useState<ValueShape>(() =>
    record && at === undefined ? openingShape(subdomain, record.key, text) : 'json',
  )
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
  /** Whether to save again after the save that is in progress, because the person has typed and saved meanwhile. */
  const isSaveDue = useRef(false)
  const submit = (send: typeof save) => {
    isSaveDue.current = save.isPending
    if (save.isPending || restore.isPending) return
    setIsSubmitted(true)
    if (!isKey(key)) return
    const { error } = readJsonText(text)
    if (error) goTo(error.line, error.column)
    else send.mutate({ key, text, description })
  }
  const openAt = () => {
    if (at !== undefined) editor.current?.openJson(at)
  }
  // React can only show the JSON view after its effects.
  useDidUpdate(() => queueMicrotask(openAt), [at])
  const onSave = () => {
    if (!base || draft.isUnsaved || theirs) submit(save)
  }
  const saveIfDue = useEffectEvent(() => {
    if (isSaveDue.current && save.isSuccess) onSave()
  })
  useEffect(() => {
    if (!save.isPending) saveIfDue()
  }, [save.isPending])
  return (
    <>
      <RecordHeader draft={draft} title={title} onSave={onSave} onDelete={() => setIsDeleting(true)} />
      <div className={shape === 'look' ? undefined : css.columns}>
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
          {!theirs && <BrokenByRecord draft={draft} />}
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
          {shape !== 'look' && (
            <TextInput
              label="Description"
              description="For the people who work on this space. Pages can’t use it."
              maxLength={limits.dataDescription}
              autoComplete="off"
              value={description}
              onChange={event => draft.setDescription(event.currentTarget.value)}
              error={errorOf('description', description, save.variables?.description)}
            />
          )}
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
              recordKey={base?.key ?? key}
              shape={shape}
              onShape={setShape}
              onChooseShape={chosen => {
                setShape(chosen)
                if (base) rememberShape(subdomain, base.key, chosen)
              }}
              text={text}
              onChange={draft.setText}
              json={json}
              onSave={onSave}
              error={errorOf('value', text, save.variables?.text)}
              onLoad={openAt}
              onGoTo={goTo}
            />
          )}
        </Stack>
        {shape !== 'look' && (
          <ValueSidebar
            recordKey={base?.key ?? (isKey(key) ? key : '')}
            json={json}
            {...(base ? { stored: { schema: base.schema, warnings: base.warnings } } : {})}
            onGoTo={offset => {
              const { line, column } = positionAt(json.text, offset)
              goTo(line, column)
            }}
          />
        )}
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

/** After a save, says on which pages visitors now see an error. */
const BrokenByRecord = ({ draft: { lastSave, undoing } }: { draft: RecordDraft }) => {
  if (!lastSave) return null
  const { before, stored } = lastSave
  return (
    <PagesBrokenBy
      saved={{ record_key: stored.key }}
      goTo={() => undefined}
      undo={before ? () => undoing.mutate({ before, stored }) : undefined}
      undoing={undoing}
    />
  )
}

const KEY = new RegExp(rules.data.key_pattern)
const KEY_RULE = 'Lowercase letters, digits and hyphens, up to 60 characters. No hyphen at either end.'

/** Whether a key is valid. */
export const isKey = (key: string): boolean => KEY.test(key)

interface KeyFieldProps {
  value: string
  onChange: (key: string) => void
  onEnter: () => void
  /** Whether the form has been submitted. Before that, an invalid key is not reported. */
  isSubmitted: boolean
  /** Whether another record has this key. */
  isTaken: boolean
  /** The service's error about the key. */
  error: string | undefined
}

/** Field for the key of a new record. */
export const KeyField = ({ value, onChange, onEnter, isSubmitted, isTaken, error }: KeyFieldProps) => {
  const { subdomain } = useSpace()
  return (
    <TextInput
      label="Key"
      description={KEY_RULE}
      required
      withAsterisk={false}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...firstField}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key === 'Enter') onEnter()
      }}
      error={
        isTaken ? (
          <>
            Another record already has this key. Choose a different key, or{' '}
            <TextLink size="sm" to="/spaces/$subdomain/data/$key" params={{ subdomain, key: value }}>
              open that record
            </TextLink>
            .
          </>
        ) : isSubmitted && !isKey(value) ? (
          KEY_RULE
        ) : (
          error
        )
      }
    />
  )
}

/** The fields that show their own errors. */
export const FIELDS = ['key', 'value', 'description'] as const

/** Error codes that other components report. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['version_conflict', 'data_key_taken'])

/**
 * Shows save errors. Offers to create the record again after someone deleted it, and to restore your text after you
 * replaced it with someone else's version.
 */
export const RecordNotices = ({ draft, onRestore }: { draft: RecordDraft; onRestore: () => void }) => {
  const { save, restore } = draft
  const code = save.error && failureOf(save.error).code
  return (
    <>
      {code === 'data_not_found' ? (
        <Alert color="yellow" title="Someone deleted this record" role="alert">
          <Stack gap="sm" align="flex-start">
            Your text is still here.
            <FormFailure error={restore.error} />
            <Button size="compact-sm" onClick={onRestore} loading={restore.isPending}>
              Create it again with your text
            </Button>
          </Stack>
        </Alert>
      ) : SHOWN_ELSEWHERE.has(code ?? '') ? null : (
        <FormFailure error={save.error} names={FIELDS} />
      )}
      {draft.newer && <NewerRecord newer={draft.newer} onCompare={draft.compare} />}
      {draft.replacedText !== null && (
        <Alert color="gray" title="You are now editing their version" role="status">
          <Group gap="sm">
            <Button variant="default" size="compact-sm" onClick={draft.restoreText}>
              Restore my text
            </Button>
            <Button variant="subtle" size="compact-sm" onClick={draft.discardText}>
              Discard my text
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}

/** Says that someone else has saved the record while its text was being changed. */
const NewerRecord = ({ newer, onCompare }: { newer: DataRecord; onCompare: () => void }) => {
  const { subdomain } = useSpace()
  const change = useChanges(subdomain).find(({ kind, thing }) => kind === 'record' && thing === newer.key)
  const { who, where }: LastAuthor = change ? lastAuthorOf(change) : SOMEONE
  return (
    <Alert color="yellow" icon={<IconUserEdit aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Version {newer.version} was saved by {who}
          {where} <RelativeTime at={newer.updated_at} />.
        </Text>
        <Button size="compact-sm" variant="default" onClick={onCompare}>
          Compare with yours
        </Button>
      </Group>
    </Alert>
  )
}
