import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { rules } from '../../../routers/api/rules.ts'
import { api, client } from '../api.ts'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import { lengthError } from '../editor/length-error.ts'
import { NewerVersionNotice } from '../editor/NewerVersionNotice.tsx'
import { SaveError } from '../editor/SaveError.tsx'
import { SplitView } from '../editor/SplitView.tsx'
import { TemplateConflict } from '../editor/TemplateConflict.tsx'
import { templateErrors } from '../editor/template-errors.ts'
import { useSaveShortcut } from '../editor/use-save-shortcut.ts'
import { isBeingTyped, useTemplateDiagnostics } from '../editor/use-template-diagnostics.ts'
import type { Stored, TemplateDraft } from '../editor/use-template-draft.ts'
import { KEPT, useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { PictureUploads } from '../pictures/PictureUploads.tsx'
import { usePictures } from '../pictures/use-pictures.tsx'
import { Preview } from '../preview/Preview.tsx'
import { useLinkedPages } from '../preview/use-linked-pages.ts'
import { type TemplatePlace, usePreview } from '../preview/use-preview.ts'
import { useSpace } from '../use-space.ts'
import { PageFields } from './PageFields.tsx'
import type { PageValues } from './stored-page.ts'

const FIELDS = ['slug', 'kind', 'html'] as const

interface PageContentProps {
  draft: TemplateDraft<PageValues>
  /** The stored version, as last read; undefined for a new page. */
  newest: Stored<PageValues> | undefined
  savedUrl: string | undefined
}

/** A page's fields and body beside a live preview. */
export const PageContent = ({ draft, newest, savedUrl }: PageContentProps) => {
  const space = useSpace()
  const { subdomain } = space
  const { fields, saving, theirs } = draft
  const [tooLong, setTooLong] = useState<string>()
  const [id] = useState(() => Math.random().toString(36).slice(2))
  const initialHtml = useRef(fields.html).current
  const vocabulary = useQuery(api.templates.vocabulary.queryOptions({ subdomain }))
  const isHere = ({ body }: TemplatePlace['where']) => body === 'page'
  const preview = usePreview(
    signal => {
      const { slug, kind, html } = draft.currentFields()
      return client.previews.page.mutate({ subdomain, editor: id, slug, kind, html }, { signal })
    },
    error => isBeingTyped(error, draft.editor.current, isHere),
  )
  const { diagnostics, goTo, correct, onLoad } = useTemplateDiagnostics(preview, draft.editor, isHere)
  const pages = useLinkedPages(subdomain, draft.base.id)
  const pictures = usePictures(draft.editor, 'liquid')
  const errors = templateErrors(saving.error, FIELDS)
  const guard = useLeaveGuard(draft.isUnsaved, KEPT)
  useSaveShortcut(draft.save)
  const set = (name: 'slug' | 'kind') => (value: string) => {
    draft.setField(name, value)
    preview.refreshSoon()
  }

  return (
    <>
      {guard}
      {newest && !theirs && <NewerVersionNotice draft={draft} newest={newest} what="page" />}
      <SaveError error={saving.error} names={FIELDS} />
      {theirs && (
        <TemplateConflict draft={draft} theirs={theirs} what="page" labels={{ slug: 'Slug', kind: 'Kind' }} />
      )}
      <div hidden={theirs !== null}>
        <PageFields
          slug={fields.slug}
          kind={fields.kind}
          errors={errors}
          isNew={draft.base.id === null}
          onSlug={set('slug')}
          onKind={set('kind')}
        />
        <PictureUploads subdomain={subdomain} ref={pictures.uploader} />
        <SplitView
          editor={
            <CodeEditor
              label="Page body"
              isLabelHidden
              language="liquid"
              value={initialHtml}
              ref={draft.editor}
              onChange={html => {
                draft.setText(html)
                setTooLong(lengthError(html, rules.page.html_max_length))
                preview.refreshSoon()
              }}
              onLoad={onLoad}
              onCursor={preview.cursorMoved}
              onSave={draft.save}
              {...pictures.props}
              completions={vocabulary.data}
              diagnostics={diagnostics}
              error={tooLong ?? errors.html}
            />
          }
          preview={
            <Preview
              {...preview}
              site={space.url}
              title={`Preview of ${fields.slug || 'the new page'}`}
              savedUrl={savedUrl}
              goTo={goTo}
              correct={correct}
              pages={pages}
            />
          }
        />
      </div>
    </>
  )
}
