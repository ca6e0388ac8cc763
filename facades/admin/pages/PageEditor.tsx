import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { rules } from '../../../routers/core/rules.ts'
import { api, client } from '../api.ts'
import { ChangedElsewhere } from '../editor/ChangedElsewhere.tsx'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import { errorsOf } from '../editor/codes.ts'
import { tooLong } from '../editor/length.ts'
import { SavingFailed } from '../editor/SavingFailed.tsx'
import { TemplateConflict } from '../editor/TemplateConflict.tsx'
import type { Editing, Stored } from '../editor/use-editing.ts'
import { useSaveKey } from '../editor/use-save-key.ts'
import { Workbench } from '../editor/Workbench.tsx'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { Preview } from '../preview/Preview.tsx'
import { type TemplateFault, usePreview } from '../preview/use-preview.ts'
import { useSpace } from '../use-space.ts'
import { PageFields } from './PageFields.tsx'
import type { PageFieldsOf } from './stored-page.ts'

const NAMES = ['slug', 'kind', 'html'] as const

interface PageEditorProps {
  editing: Editing<PageFieldsOf>
  /** As it is stored now, as far as is known; none of a page that is new. */
  newest: Stored<PageFieldsOf> | undefined
  savedUrl: string | undefined
}

/** A page's settings and text, beside what readers would see. */
export const PageEditor = ({ editing, newest, savedUrl }: PageEditorProps) => {
  const space = useSpace()
  const { subdomain } = space
  const { fields, saving, theirs } = editing
  const [excess, setExcess] = useState<string>()
  const [id] = useState(() => Math.random().toString(36).slice(2))
  const begun = useRef(fields.html).current
  const vocabulary = useQuery(api.templates.vocabulary.queryOptions({ subdomain }))
  const preview = usePreview(() => {
    const { slug, kind, html } = editing.current()
    return client.previews.page.mutate({ subdomain, editor: id, slug, kind, html })
  })
  const { fault } = preview
  const diagnostics = useMemo(
    () =>
      fault?.where.body === 'page' && fault.line !== null
        ? [{ line: fault.line, column: fault.column ?? 1, message: `${fault.message} ${fault.advice}` }]
        : [],
    [fault],
  )
  const goTo = ({ where, line, column }: TemplateFault) =>
    where.body === 'page' && line !== null ? () => editing.editor.current?.goTo(line, column ?? 1) : undefined
  const errors = errorsOf(saving.error, NAMES)
  const guard = useLeaveGuard(editing.isUnsaved)
  useSaveKey(editing.save)
  const set = (name: 'slug' | 'kind') => (value: string) => {
    editing.setField(name, value)
    preview.touch()
  }

  return (
    <>
      {guard}
      {newest && !theirs && <ChangedElsewhere editing={editing} newest={newest} what="page" />}
      <SavingFailed error={saving.error} names={NAMES} />
      {theirs && (
        <TemplateConflict
          editing={editing}
          theirs={theirs}
          what="page"
          labels={{ slug: 'Slug', kind: 'Kind' }}
        />
      )}
      <div hidden={theirs !== null}>
        <PageFields
          slug={fields.slug}
          kind={fields.kind}
          errors={errors}
          onSlug={set('slug')}
          onKind={set('kind')}
        />
        <Workbench
          editor={
            <CodeEditor
              label="Text of the page"
              isLabelHidden
              language="liquid"
              value={begun}
              ref={editing.editor}
              onChange={html => {
                editing.onText(html)
                setExcess(tooLong(html, rules.page.html_max_length))
                preview.touch()
              }}
              onSave={editing.save}
              completions={vocabulary.data}
              diagnostics={diagnostics}
              error={excess ?? errors.html}
            />
          }
          preview={
            <Preview
              {...preview}
              site={space.url}
              title={`Preview of ${fields.slug || 'the new page'}`}
              savedUrl={savedUrl}
              goTo={goTo}
            />
          }
        />
      </div>
    </>
  )
}
