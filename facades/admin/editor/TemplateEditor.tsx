import { Button } from '@mantine/core'
import { useDidUpdate, useDisclosure } from '@mantine/hooks'
import { IconCode, IconEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { api } from '../api.ts'
import { HistoryLink } from '../history/links.tsx'
import { useOnChange } from '../live/refetch.ts'
import { PictureUploads } from '../pictures/PictureUploads.tsx'
import { usePictures } from '../pictures/use-pictures.tsx'
import { useLinkedPages } from '../preview/LinkedPageBar.tsx'
import { Preview } from '../preview/Preview.tsx'
import { type Outcome, type TemplatePlace, usePreview } from '../preview/use-preview.ts'
import { ScheduleButton } from '../schedules/ScheduleDialog.tsx'
import { useKey } from '../shell/single-keys.ts'
import { notifyFailure } from '../ui/notify.ts'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { DraftNotices } from '../unsaved/DraftNotices.tsx'
import { KeepDraftButton, ShareDraft } from '../unsaved/ShareDraft.tsx'
import { useSpace } from '../use-space.ts'
import { BrokenPages } from './BrokenPages.tsx'
import { CodeEditor } from './CodeEditor.tsx'
import { DeleteButton, type DeleteButtonProps } from './DeleteButton.tsx'
import { type EditorView, useEditorView } from './editor-view.ts'
import { lengthError } from './length-error.ts'
import { OpenBodies } from './OpenBodies.tsx'
import { MAIN } from './open-bodies.ts'
import { SaveButton } from './SaveButton.tsx'
import { SplitView, useHasRoom } from './SplitView.tsx'
import { DeletedNotice, NewerVersionNotice, SaveError, TemplateConflict } from './TemplateNotices.tsx'
import { isDeletedError, templateErrors } from './template-errors.ts'
import { useNames } from './use-names.ts'
import { usePartsBeside } from './use-parts-beside.ts'
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
  /**
   * Evaluates the draft for the preview.
   *
   * @param beside the parts that are open beside it
   * @param editor identifies the open editor
   */
  evaluate: (
    fields: F,
    beside: { name: string; html: string }[],
    editor: string,
    signal: AbortSignal,
  ) => Promise<Outcome>
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
  const initialHtml = useRef(draft.fields.html)
  // The text can be replaced while the code editor loads.
  if (!draft.editor.current) initialHtml.current = draft.currentFields().html
  const vocabulary = useQuery(api.editing.vocabulary.queryOptions({ subdomain }))
  const namedThings = useNames(subdomain, vocabulary.data)
  const isHere = ({ body, name }: TemplatePlace['where']) =>
    body === what && (what === 'page' || [nameOf(fields).trim(), nameOf(base.fields), 'draft'].includes(name))
  const beside = usePartsBeside(subdomain, () => preview.refresh())
  const [notices, setNotices] = useState<HTMLDivElement | null>(null)
  const preview = usePreview(
    async signal => {
      const current = draft.currentFields()
      const parts = beside.texts()
      const texts = parts.map(({ name, html }) => ({ name, html }))
      const written = new Map([
        [MAIN, current.html],
        ...parts.map(({ id, html }): [string, string] => [id, html]),
      ])
      return { ...(await evaluate(current, texts, editor, signal)), written }
    },
    error => isBeingTyped(error, draft.editor.current, isHere),
  )
  useDidUpdate(preview.refresh, [previewIn])
  // A part or record that the draft uses may have changed.
  useOnChange(subdomain, base.id, preview.refresh)
  const { diagnostics, goTo, correct, onLoad } = useTemplateDiagnostics(preview, draft.editor, isHere)
  const [view, setView] = useEditorView(subdomain)
  const hasRoom = useHasRoom()
  const editKey = useKey('E')
  // The code must be visible before it can get the focus.
  const showCode = () => flushSync(() => setView('code'))
  const pages = useLinkedPages(subdomain, what === 'page' ? base.id : null)
  const pictures = usePictures(draft.editor, 'liquid')
  const inPreview = useSourcePreview({
    subdomain,
    what,
    bodies: [{ key: MAIN, has: isHere, editor: draft.editor }, ...beside.bodies],
    pages,
    uploader: pictures.uploader,
    refresh: preview.refresh,
    showCode,
    opener: {
      show: ({ key }) => beside.show(key),
      open: ({ body, name }) => {
        if (body === 'part') void beside.open(name).catch(notifyFailure)
      },
    },
  })
  const openAt = () => {
    if (at === undefined) return
    showCode()
    const offset = Number(at)
    draft.editor.current?.select(base.fields.html, { begin: offset, end: offset })
    draft.editor.current?.focus()
  }
  // React can only show the code after its effects.
  useDidUpdate(() => queueMicrotask(openAt), [at])
  const save = () => {
    if (isUnsaved || beside.unsaved.length === 0) draft.save()
    beside.save()
  }
  const errors = templateErrors(saving.error, names)
  // Beside the page alone, and on phones, the fields are shown for an error or a new page. They then stay until another
  // view is chosen: one of them may have the focus, without which letters would be shortcuts.
  const [keepsFields, setKeepsFields] = useState(isNew)
  if (!keepsFields && Object.keys(errors).length > 0) setKeepsFields(true)
  const chooseView = (chosen: EditorView) => {
    setKeepsFields(isNew)
    setView(chosen)
  }
  /** What the code editors of all open bodies have in common. */
  const shared = {
    completions: vocabulary.data,
    names: namedThings,
    onCursor: () => {
      preview.cursorMoved()
      inPreview.onCursor()
    },
    onSave: save,
  }
  return (
    <>
      <ViewTitle title={isNew ? `New ${what}` : nameOf(base.fields)} of={spaceName} isSticky text={text}>
        {isNew && isUnsaved && <KeepDraftButton kept={kept} list={`/spaces/$subdomain/${what}s`} />}
        <SaveButton
          createLabel={isNew ? `Create ${what}` : undefined}
          isUnsaved={isUnsaved || beside.unsaved.length > 0}
          unsavedIn={isUnsaved ? [] : beside.unsaved}
          isSaving={saving.isPending || beside.isSaving}
          isDisabled={theirs !== null}
          onSave={save}
        />
        {isUnsaved && <ShareDraft place={place} flush={kept.flush} />}
        {what === 'page' && (isUnsaved || !isNew) && (
          <ScheduleButton place={place} isUnsaved={isUnsaved} flush={kept.flush} />
        )}
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
                showCode()
                go()
              })
            )
          }}
        />
      )}
      {theirs && <TemplateConflict draft={draft} theirs={theirs} what={what} labels={labels} />}
      <div hidden={theirs !== null}>
        {(view === 'code' || keepsFields) && (
          <Foldable
            label={`Change ${Object.values(labels).join(' and ').toLowerCase()}`}
            isFolded={what === 'page' && !hasRoom && !keepsFields}
          >
            {renderFields({
              errors,
              set: (name, value) => {
                draft.setField(name, value)
                preview.refreshSoon()
              },
            })}
          </Foldable>
        )}
        <div ref={setNotices} />
        <PictureUploads subdomain={subdomain} ref={pictures.uploader} />
        {inPreview.dialog}
        <SplitView
          view={view}
          onView={chooseView}
          editor={
            <OpenBodies
              subdomain={subdomain}
              name={nameOf(fields) || `New ${what}`}
              beside={beside}
              notices={notices}
              onChange={preview.refreshSoon}
              code={shared}
            >
              <CodeEditor
                label={what === 'page' ? 'Page body' : 'Part body'}
                isLabelHidden
                language="liquid"
                value={initialHtml.current}
                ref={draft.editor}
                onChange={html => {
                  draft.setText(html)
                  setTooLong(lengthError(html, maxLength))
                  preview.refreshSoon()
                }}
                onLoad={() => {
                  onLoad()
                  queueMicrotask(openAt)
                }}
                {...shared}
                {...pictures.props}
                diagnostics={diagnostics}
                error={tooLong ?? errors.html}
              />
            </OpenBodies>
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
              {hasRoom && (
                <Button
                  {...editKey}
                  size="compact-sm"
                  variant="default"
                  leftSection={
                    view === 'page' ? <IconCode size={16} aria-hidden /> : <IconEdit size={16} aria-hidden />
                  }
                  onClick={() => chooseView(view === 'page' ? 'code' : 'page')}
                >
                  {view === 'page' ? 'Show the code' : 'Edit on the page'}
                </Button>
              )}
            </Preview>
          }
        />
      </div>
    </>
  )
}

interface FoldableProps {
  label: string
  isFolded: boolean
  children: ReactNode
}

/** Fields that are seldom changed: where there is little room, they are behind a button, so that the text begins above the fold. */
const Foldable = ({ label, isFolded, children }: FoldableProps) => {
  const [isOpen, { open }] = useDisclosure()
  const fields = useRef<HTMLDivElement>(null)
  // The button that had the focus is gone.
  useDidUpdate(() => fields.current?.querySelector('input')?.focus(), [isOpen])
  if (isOpen || !isFolded) return <div ref={fields}>{children}</div>
  return (
    <Button variant="subtle" size="compact-sm" mb="xs" onClick={open}>
      {label}
    </Button>
  )
}
