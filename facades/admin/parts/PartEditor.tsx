import { Box, Select, TextInput } from '@mantine/core'
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
import type { PartFieldsOf } from './stored-part.ts'
import { UsedBy, type Uses } from './UsedBy.tsx'

const NAMES = ['name', 'html'] as const

/** In the list of pages to show a part in: none of them. */
const ALONE = 'alone'

interface PartEditorProps {
  editing: Editing<PartFieldsOf>
  /** Saves, asking first where something would break. */
  onSave: () => void
  /** As it is stored now, as far as is known; none of a part that is new. */
  newest: Stored<PartFieldsOf> | undefined
  uses: Uses | undefined
}

/** A part's name and text, beside a page that it is in. */
export const PartEditor = ({ editing, onSave, newest, uses }: PartEditorProps) => {
  const space = useSpace()
  const { subdomain } = space
  const { fields, saving, theirs } = editing
  const [within, setWithin] = useState(uses?.pages[0]?.id ?? ALONE)
  const [excess, setExcess] = useState<string>()
  const [id] = useState(() => Math.random().toString(36).slice(2))
  const begun = useRef(fields.html).current
  const vocabulary = useQuery(api.templates.vocabulary.queryOptions({ subdomain }))
  const shownIn = useRef(within)
  const preview = usePreview(() => {
    const { name, html } = editing.current()
    return client.previews.part.mutate({
      subdomain,
      editor: id,
      name,
      html,
      ...(editing.base.id === null ? {} : { part_id: editing.base.id }),
      ...(shownIn.current === ALONE ? {} : { page_id: shownIn.current }),
    })
  })
  const { fault } = preview
  const isHere = (where: TemplateFault['where']) =>
    where.body === 'part' && [fields.name.trim(), editing.base.fields.name, 'draft'].includes(where.name)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a fault is of the name that its draft had
  const diagnostics = useMemo(
    () =>
      fault && isHere(fault.where) && fault.line !== null
        ? [{ line: fault.line, column: fault.column ?? 1, message: `${fault.message} ${fault.advice}` }]
        : [],
    [fault],
  )
  const goTo = ({ where, line, column }: TemplateFault) =>
    isHere(where) && line !== null ? () => editing.editor.current?.goTo(line, column ?? 1) : undefined
  const errors = errorsOf(saving.error, NAMES)
  const guard = useLeaveGuard(editing.isUnsaved)
  useSaveKey(onSave)

  return (
    <>
      {guard}
      {newest && !theirs && <ChangedElsewhere editing={editing} newest={newest} what="part" />}
      <SavingFailed error={saving.error} names={NAMES} />
      {theirs && <TemplateConflict editing={editing} theirs={theirs} what="part" labels={{ name: 'Name' }} />}
      <div hidden={theirs !== null}>
        <TextInput
          label="Name"
          description={`Taken in with {% render '${fields.name.trim() || '…'}' %}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maw="28rem"
          mb="sm"
          value={fields.name}
          onChange={event => {
            editing.setField('name', event.currentTarget.value)
            preview.touch()
          }}
          error={errors.name}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {uses && (
          <Box mb="sm">
            <UsedBy uses={uses} />
          </Box>
        )}
        <Workbench
          editor={
            <CodeEditor
              label="Text of the part"
              isLabelHidden
              language="liquid"
              value={begun}
              ref={editing.editor}
              onChange={html => {
                editing.onText(html)
                setExcess(tooLong(html, rules.part.html_max_length))
                preview.touch()
              }}
              onSave={onSave}
              completions={vocabulary.data}
              diagnostics={diagnostics}
              error={excess ?? errors.html}
            />
          }
          preview={
            <Preview
              {...preview}
              site={space.url}
              title={`Preview of ${fields.name || 'the new part'}`}
              goTo={goTo}
            >
              {uses && uses.pages.length > 0 && (
                <Select
                  size="xs"
                  w="9rem"
                  aria-label="Shown in"
                  allowDeselect={false}
                  value={within}
                  onChange={page => {
                    shownIn.current = page ?? ALONE
                    setWithin(shownIn.current)
                    preview.again()
                  }}
                  data={[
                    ...uses.pages.map(({ id, slug }) => ({ value: id, label: `In ${slug}` })),
                    { value: ALONE, label: 'Alone' },
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
