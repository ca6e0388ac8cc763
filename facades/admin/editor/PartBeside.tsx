import { Alert, Text } from '@mantine/core'
import { IconTrashOff, IconUserEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { createPortal } from 'react-dom'
import { api, type Outputs, queryClient, rpc } from '../api.ts'
import { type PartValues, storedPart } from '../parts/stored-part.ts'
import { TextLink } from '../ui/ButtonLink.tsx'
import { DraftNotices } from '../unsaved/DraftNotices.tsx'
import { BrokenPages } from './BrokenPages.tsx'
import { CodeEditor } from './CodeEditor.tsx'
import type { CodeEditorProps } from './code-editor-props.ts'
import { EditorSession, type OpenEditor } from './EditorSession.tsx'
import { NewerVersionNotice, SaveError } from './TemplateNotices.tsx'
import { isDeletedError, templateErrors } from './template-errors.ts'
import { type TemplateDraft, useTemplateDraft } from './use-template-draft.ts'

export type PartDraft = TemplateDraft<PartValues>

interface PartBesideProps {
  subdomain: string
  partId: string
  /** Where notices about the part are shown. */
  notices: Element | null
  /** Called with the draft whenever it is rendered, and with null when the part is closed. */
  onDraft: (draft: PartDraft | null) => void
  /** Called after each change of the text. */
  onChange: () => void
  /** What the code editor is given in addition. */
  code: Pick<CodeEditorProps, 'completions' | 'names' | 'onCursor' | 'onSave'>
}

/** The editor of a part that is open beside a page or another part, with a draft of its own. */
export const PartBeside = ({ partId, ...props }: PartBesideProps) => (
  <EditorSession<PartValues, Outputs['parts']['get']>
    place={{ subdomain: props.subdomain, kind: 'part' }}
    id={partId}
    draft={undefined}
    query={part_id => api.parts.get.queryOptions({ subdomain: props.subdomain, part_id })}
    navigate={() => {}}
  >
    {(part, editor) => part && <OpenPart part={part} {...props} {...editor} />}
  </EditorSession>
)

interface OpenPartProps extends Omit<PartBesideProps, 'partId'>, OpenEditor<PartValues> {
  part: Outputs['parts']['get']
}

const OpenPart = ({
  subdomain,
  part,
  notices,
  onDraft,
  onChange,
  code,
  restored,
  newId,
  onCreated,
}: OpenPartProps) => {
  const draft = useTemplateDraft<PartValues>({
    stored: storedPart(part),
    restored,
    place: { subdomain, kind: 'part', newId },
    save: async (fields, { updated_at }) => {
      const base = updated_at ?? ''
      const result = await rpc.editing.savePart.mutate({ subdomain, part_id: part.id, ...fields, base })
      return result.saved
        ? { saved: true, stored: storedPart({ ...result.part, html: fields.html }) }
        : { saved: false, theirs: storedPart(result.theirs) }
    },
    onSaved: () => {
      void queryClient.invalidateQueries(api.parts.pathFilter())
      void queryClient.invalidateQueries(api.delivery.pathFilter())
    },
    onCreated,
  })
  const report = useEffectEvent(onDraft)
  useEffect(() => report(draft))
  useEffect(() => () => report(null), [])
  const { data: newest, error } = useQuery(api.parts.get.queryOptions({ subdomain, part_id: part.id }))
  const { name } = draft.fields
  const { saving, theirs } = draft
  const initialHtml = useRef(draft.fields.html)
  // The text can be replaced while the code editor loads.
  if (!draft.editor.current) initialHtml.current = draft.currentFields().html
  return (
    <>
      {draft.guard}
      {notices &&
        createPortal(
          <>
            {(isDeletedError(error) || isDeletedError(saving.error)) && (
              <Alert color="yellow" mb="md" icon={<IconTrashOff aria-hidden />} role="alert">
                Someone deleted the part {name}. Restore it from the history to save your changes.
              </Alert>
            )}
            {theirs && (
              <Alert color="yellow" mb="md" icon={<IconUserEdit aria-hidden />} role="alert">
                <Text size="sm">
                  Someone else changed the part {name}. Your changes are kept.{' '}
                  <TextLink
                    size="sm"
                    to="/spaces/$subdomain/parts/$partId"
                    params={{ subdomain, partId: part.id }}
                  >
                    Compare both in its own editor
                  </TextLink>
                </Text>
              </Alert>
            )}
            {newest && !theirs && (
              <NewerVersionNotice draft={draft} newest={storedPart(newest)} what={`part ${name}`} />
            )}
            <DraftNotices
              place={draft.place}
              what={`the part ${name}`}
              restoredAt={draft.restoredAt}
              kept={draft.kept}
              onDiscard={() => draft.discard(newest && storedPart(newest))}
            />
            <SaveError error={saving.error} names={['html']} />
            <BrokenPages what="part" draft={draft} nameOf={fields => fields.name} goTo={() => undefined} />
          </>,
          notices,
        )}
      <CodeEditor
        label={`Body of the part ${name}`}
        isLabelHidden
        language="liquid"
        value={initialHtml.current}
        ref={draft.editor}
        onChange={html => {
          draft.setText(html)
          onChange()
        }}
        {...code}
        error={templateErrors(saving.error, ['html']).html}
      />
    </>
  )
}
