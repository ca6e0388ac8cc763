import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { useDidUpdate, useDisclosure } from '@mantine/hooks'
import { IconPointFilled, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { api, queryClient } from '../api.ts'
import { HistoryLink } from '../history/links.tsx'
import { notifyDeleted } from '../history/notify-deleted.tsx'
import { PictureUploads } from '../pictures/PictureUploads.tsx'
import { usePictures } from '../pictures/use-pictures.tsx'
import { useLinkedPages } from '../preview/LinkedPageBar.tsx'
import { Preview } from '../preview/Preview.tsx'
import { type Outcome, type TemplatePlace, usePreview } from '../preview/use-preview.ts'
import { Confirm } from '../ui/Confirm.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { DraftNotices } from '../unsaved/DraftNotices.tsx'
import { KeepDraftButton, ShareDraft } from '../unsaved/ShareDraft.tsx'
import { useSpace } from '../use-space.ts'
import { BrokenPages } from './BrokenPages.tsx'
import { CodeEditor } from './CodeEditor.tsx'
import { SplitView, type SplitViewHandle } from './SplitView.tsx'
import { DeletedNotice, NewerVersionNotice, SaveError, TemplateConflict } from './TemplateNotices.tsx'
import { isDeletedError, templateErrors } from './template-errors.ts'
import { useNames } from './use-names.ts'
import { useSourcePreview } from './use-source-preview.tsx'
import { isBeingTyped, useTemplateDiagnostics } from './use-template-diagnostics.ts'
import type { Fields, Stored, TemplateDraft } from './use-template-draft.ts'

/** What the field that names a page or part, and further fields, get. */
export interface FieldProps<F extends Fields> {
  errors: Record<string, string>
  /** Changes a field, and updates the preview. */
  set: (name: keyof F & string, value: string) => void
}

interface TemplateEditorProps<F extends Fields> {
  what: 'page' | 'part'
  /** Labels of the fields other than the body. The first field names the page or part. */
  labels: Readonly<Record<string, string>>
  /** Maximum length of the body in characters. */
  maxLength: number
  draft: TemplateDraft<F>
  /** The stored version, as last read; undefined for a new page or part. */
  newest: Stored<F> | undefined
  /** Why the stored version could not be read. */
  error: unknown
  deletion: Pick<DeleteButtonProps, 'remove' | 'onOpen' | 'children'>
  /** Text below the title. */
  text?: ReactNode
  /** Notices about this page or part. */
  children?: ReactNode
  fields: (props: FieldProps<F>) => ReactNode
  /** Evaluates the draft for the preview. @param editor identifies the open editor */
  evaluate: (fields: F, editor: string, signal: AbortSignal) => Promise<Outcome>
  /** Where the preview shows the draft; when this changes, the preview is updated. */
  previewIn?: string
  /** Further controls of the preview. */
  previewControls?: ReactNode
  /** The public URL of the saved version. */
  savedUrl?: string | undefined
  /** The offset in the stored body at which the editor opens. */
  at?: string | undefined
}

/** Edits a page or part: a title bar with the save button, and below it the fields, the body and a live preview. */
export const TemplateEditor = <F extends Fields>({
  what,
  labels,
  maxLength,
  draft,
  newest,
  error,
  deletion,
  text,
  children,
  fields: renderFields,
  evaluate,
  previewIn,
  previewControls,
  savedUrl,
  at,
}: TemplateEditorProps<F>) => {
  const { subdomain, name: spaceName, url } = useSpace()
  const { base, fields, saving, theirs, isUnsaved, kept, place } = draft
  const isNew = base.id === null
  const names = [...Object.keys(labels), 'html']
  const nameOf = (of: F) => of[names[0]!] ?? ''
  const [tooLong, setTooLong] = useState<string>()
  const [editor] = useState(() => Math.random().toString(36).slice(2))
  const initialHtml = useRef(fields.html).current
  const vocabulary = useQuery(api.editing.vocabulary.queryOptions({ subdomain }))
  const namedThings = useNames(subdomain, vocabulary.data)
  const isHere = ({ body, name }: TemplatePlace['where']) =>
    body === what && (what === 'page' || [nameOf(fields).trim(), nameOf(base.fields), 'draft'].includes(name))
  const preview = usePreview(
    async signal => {
      const current = draft.currentFields()
      return { ...(await evaluate(current, editor, signal)), written: current.html }
    },
    error => isBeingTyped(error, draft.editor.current, isHere),
  )
  useDidUpdate(preview.refresh, [previewIn])
  const { diagnostics, goTo, correct, onLoad } = useTemplateDiagnostics(preview, draft.editor, isHere)
  const split = useRef<SplitViewHandle>(null)
  const pages = useLinkedPages(subdomain, what === 'page' ? base.id : null)
  const inPreview = useSourcePreview({
    subdomain,
    what,
    editor: draft.editor,
    isHere,
    pages,
    refresh: preview.refresh,
    showEditor: () => split.current?.showEditor(),
  })
  const pictures = usePictures(draft.editor, 'liquid')
  const errors = templateErrors(saving.error, names)
  return (
    <>
      <ViewTitle title={isNew ? `New ${what}` : nameOf(base.fields)} of={spaceName} isSticky text={text}>
        {isNew && isUnsaved && <KeepDraftButton kept={kept} list={`/spaces/$subdomain/${what}s`} />}
        <SaveButton
          createLabel={isNew ? `Create ${what}` : undefined}
          isUnsaved={isUnsaved}
          isSaving={saving.isPending}
          isDisabled={theirs !== null}
          onSave={draft.save}
        />
        {isUnsaved && <ShareDraft place={place} flush={kept.flush} />}
        {newest?.id && <HistoryLink subdomain={subdomain} kind={what} thing={newest.id} />}
        {newest?.id && <DeleteButton what={what} id={newest.id} name={nameOf(newest.fields)} {...deletion} />}
      </ViewTitle>
      {!isNew && (isDeletedError(error) || isDeletedError(saving.error)) && (
        <DeletedNotice what={what} onSaveAsNew={draft.saveAsNew} />
      )}
      {children}
      <DraftNotices
        place={place}
        restoredAt={draft.restoredAt}
        kept={kept}
        onDiscard={() => draft.discard(newest)}
      />
      {draft.guard}
      {newest && !theirs && <NewerVersionNotice draft={draft} newest={newest} what={what} />}
      <SaveError error={saving.error} names={names} />
      {!theirs && (
        <BrokenPages
          what={what}
          draft={draft}
          nameOf={nameOf}
          goTo={place => {
            const go = goTo(place)
            return (
              go &&
              (() => {
                split.current?.showEditor()
                go()
              })
            )
          }}
        />
      )}
      {theirs && <TemplateConflict draft={draft} theirs={theirs} what={what} labels={labels} />}
      <div hidden={theirs !== null}>
        {renderFields({
          errors,
          set: (name, value) => {
            draft.setField(name, value)
            preview.refreshSoon()
          },
        })}
        <PictureUploads subdomain={subdomain} ref={pictures.uploader} />
        <SplitView
          ref={split}
          editor={
            <CodeEditor
              label={what === 'page' ? 'Page body' : 'Part body'}
              isLabelHidden
              language="liquid"
              value={initialHtml}
              ref={draft.editor}
              onChange={html => {
                draft.setText(html)
                setTooLong(lengthError(html, maxLength))
                preview.refreshSoon()
              }}
              onLoad={() => {
                onLoad()
                const offset = Number(at)
                if (at === undefined) return
                draft.editor.current?.select(base.fields.html, { begin: offset, end: offset })
                draft.editor.current?.focus()
              }}
              onCursor={() => {
                preview.cursorMoved()
                inPreview.onCursor()
              }}
              onSave={draft.save}
              {...pictures.props}
              completions={vocabulary.data}
              names={namedThings}
              diagnostics={diagnostics}
              error={tooLong ?? errors.html}
            />
          }
          preview={
            <Preview
              {...preview}
              site={url}
              title={`Preview of ${nameOf(fields) || `the new ${what}`}`}
              savedUrl={savedUrl}
              goTo={goTo}
              correct={correct}
              pages={pages}
              {...inPreview.props}
            >
              {previewControls}
            </Preview>
          }
        />
      </div>
    </>
  )
}

export interface DeleteButtonProps {
  what: 'page' | 'part'
  id: string
  /** The slug or name. */
  name: string
  /** Called when the dialog opens. */
  onOpen?: () => void
  remove: (id: string) => Promise<unknown>
  /** What the deletion breaks. */
  children: ReactNode
}

/** A button that deletes a page or part after confirmation, opens the list, and offers to undo. */
export const DeleteButton = ({ what, id, name, onOpen, remove, children }: DeleteButtonProps) => {
  const { subdomain } = useSpace()
  const [isAsking, { open, close }] = useDisclosure(false, onOpen ? { onOpen } : {})
  const navigate = useNavigate()
  const deletion = useMutation({
    // Has no key, so that this editor is left before anything is refetched.
    mutationFn: () => remove(id),
    onSuccess: async () => {
      const title = `${what === 'page' ? 'Page' : 'Part'} ${name}`
      notifyDeleted({ subdomain, kind: what, thing: id, title })
      await navigate({ to: `/spaces/$subdomain/${what}s`, params: { subdomain }, ignoreBlocker: true })
      void queryClient.invalidateQueries((what === 'page' ? api.pages : api.parts).pathFilter())
    },
  })
  return (
    <>
      <Tooltip label={`Delete this ${what}`}>
        <ActionIcon variant="default" size={36} aria-label={`Delete this ${what}`} onClick={open}>
          <IconTrash size={18} />
        </ActionIcon>
      </Tooltip>
      <Confirm
        opened={isAsking}
        onClose={close}
        title={`Delete ${name}?`}
        action={`Delete ${what}`}
        onConfirm={() => deletion.mutate()}
        mutation={deletion}
      >
        {children}
      </Confirm>
    </>
  )
}

interface SaveButtonProps {
  isUnsaved: boolean
  /** The button's text before the first save, such as "Create page"; undefined afterwards. */
  createLabel?: string | undefined
  isSaving: boolean
  /** Set while a conflict is open. */
  isDisabled?: boolean
  onSave: () => void
}

const SHORTCUT = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘S' : 'Ctrl+S'

/** A Save button with the save status beside it. */
export const SaveButton = ({
  isUnsaved,
  createLabel,
  isSaving,
  isDisabled = false,
  onSave,
}: SaveButtonProps) => (
  <>
    <Text
      size="sm"
      c="dimmed"
      role="status"
      display="inline-flex"
      // An empty status takes no space, but stays in the document so that screen readers announce a new one.
      pos={createLabel && !isUnsaved && !isSaving ? 'absolute' : 'static'}
      style={{ alignItems: 'center', gap: 2 }}
    >
      {isSaving ? (
        'Saving…'
      ) : isUnsaved ? (
        <>
          <IconPointFilled size={14} color="var(--mantine-color-yellow-7)" aria-hidden />
          Unsaved changes
        </>
      ) : (
        !createLabel && 'All changes saved'
      )}
    </Text>
    <Tooltip label={SHORTCUT} withinPortal={false}>
      <Button onClick={onSave} loading={isSaving} disabled={isDisabled} aria-keyshortcuts="Control+S Meta+S">
        {createLabel ?? 'Save'}
      </Button>
    </Tooltip>
  </>
)

const number = new Intl.NumberFormat('en')

/** Length in code points, the unit of every limit. */
const countCodePoints = (text: string) => {
  let points = 0
  for (const _ of text) points += 1
  return points
}

/** The error message for a body longer than `max` code points; undefined if it fits. */
export const lengthError = (text: string, max: number): string | undefined => {
  if (text.length <= max) return undefined
  const length = countCodePoints(text.trim())
  return length <= max
    ? undefined
    : `This is ${number.format(length - max)} characters too long; the limit is ${number.format(max)}. Move some of it into parts.`
}
