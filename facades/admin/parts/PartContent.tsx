import { Box, Select, TextInput } from '@mantine/core'
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
import { firstField } from '../shell/first-field.ts'
import { useSpace } from '../use-space.ts'
import type { PartValues } from './stored-part.ts'
import { UsedBy, type Uses } from './UsedBy.tsx'

const FIELDS = ['name', 'html'] as const

/** Whether a part is a layout: it defines blocks that pages fill in, so pages include it with `layout`. */
const definesBlocks = (html: string) => /\{%-?\s*block\b/.test(html)

/** The option that previews the part without a page. */
const ALONE = 'alone'

interface PartContentProps {
  draft: TemplateDraft<PartValues>
  /** Saves the part. If a new name would break pages, asks first. */
  onSave: () => void
  /** The stored version, as last read; undefined for a new part. */
  newest: Stored<PartValues> | undefined
  uses: Uses | undefined
}

/** A part's name and body beside a live preview, which shows the part in a page that uses it or on its own. */
export const PartContent = ({ draft, onSave, newest, uses }: PartContentProps) => {
  const space = useSpace()
  const { subdomain } = space
  const { fields, saving, theirs } = draft
  const [previewPage, setPreviewPage] = useState(uses?.pages[0]?.id ?? ALONE)
  const [tooLong, setTooLong] = useState<string>()
  const [isLayout, setIsLayout] = useState(() => definesBlocks(fields.html))
  const [id] = useState(() => Math.random().toString(36).slice(2))
  const initialHtml = useRef(fields.html).current
  const vocabulary = useQuery(api.templates.vocabulary.queryOptions({ subdomain }))
  const latestPreviewPage = useRef(previewPage)
  const isHere = ({ body, name }: TemplatePlace['where']) =>
    body === 'part' && [fields.name.trim(), draft.base.fields.name, 'draft'].includes(name)
  const preview = usePreview(
    signal => {
      const { name, html } = draft.currentFields()
      const input = {
        subdomain,
        editor: id,
        name,
        html,
        ...(draft.base.id === null ? {} : { part_id: draft.base.id }),
        ...(latestPreviewPage.current === ALONE ? {} : { page_id: latestPreviewPage.current }),
      }
      return client.previews.part.mutate(input, { signal })
    },
    error => isBeingTyped(error, draft.editor.current, isHere),
  )
  const { diagnostics, goTo, correct, onLoad } = useTemplateDiagnostics(preview, draft.editor, isHere)
  const pages = useLinkedPages(subdomain, null)
  const pictures = usePictures(draft.editor, 'liquid')
  const errors = templateErrors(saving.error, FIELDS)
  const guard = useLeaveGuard(draft.isUnsaved, KEPT)
  useSaveShortcut(onSave)

  return (
    <>
      {guard}
      {newest && !theirs && <NewerVersionNotice draft={draft} newest={newest} what="part" />}
      <SaveError error={saving.error} names={FIELDS} />
      {theirs && <TemplateConflict draft={draft} theirs={theirs} what="part" labels={{ name: 'Name' }} />}
      <div hidden={theirs !== null}>
        <TextInput
          label="Name"
          description={`Include it with {% ${isLayout ? 'layout' : 'render'} '${fields.name.trim() || '…'}' %}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maw="28rem"
          mb="sm"
          value={fields.name}
          onChange={event => {
            draft.setField('name', event.currentTarget.value)
            preview.refreshSoon()
          }}
          error={errors.name}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...(draft.base.id === null && firstField)}
        />
        {uses && (
          <Box mb="sm">
            <UsedBy uses={uses} />
          </Box>
        )}
        <PictureUploads subdomain={subdomain} ref={pictures.uploader} />
        <SplitView
          editor={
            <CodeEditor
              label="Part body"
              isLabelHidden
              language="liquid"
              value={initialHtml}
              ref={draft.editor}
              onChange={html => {
                draft.setText(html)
                setTooLong(lengthError(html, rules.part.html_max_length))
                setIsLayout(definesBlocks(html))
                preview.refreshSoon()
              }}
              onLoad={onLoad}
              onCursor={preview.cursorMoved}
              onSave={onSave}
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
              title={`Preview of ${fields.name || 'the new part'}`}
              goTo={goTo}
              correct={correct}
              pages={pages}
            >
              {uses && uses.pages.length > 0 && (
                <Select
                  size="xs"
                  w="9rem"
                  aria-label="Preview in"
                  allowDeselect={false}
                  value={previewPage}
                  onChange={page => {
                    latestPreviewPage.current = page ?? ALONE
                    setPreviewPage(latestPreviewPage.current)
                    preview.refresh()
                  }}
                  data={[
                    ...uses.pages.map(({ id, slug }) => ({ value: id, label: `In ${slug}` })),
                    { value: ALONE, label: 'Part only' },
                  ]}
                />
              )}
            </Preview>
          }
        />
      </div>
    </>
  )
}
