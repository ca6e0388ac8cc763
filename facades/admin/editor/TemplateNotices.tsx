import { Alert, Button, Group, Text } from '@mantine/core'
import { IconTrashOff, IconUserEdit } from '@tabler/icons-react'
import { useRef } from 'react'
import { mergeFields } from '../../shared/merge-fields.ts'
import { FormFailure } from '../ui/FormFailure.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { ConflictView } from './ConflictView.tsx'
import { isDeletedError, templateErrors } from './template-errors.ts'
import type { Fields, Stored, TemplateDraft } from './use-template-draft.ts'

interface DeletedNoticeProps {
  /** What was deleted: "page" or "part". */
  what: string
  onSaveAsNew: () => void
}

/** Says that the page or part being edited was deleted, and offers to save your text as a new one. */
export const DeletedNotice = ({ what, onSaveAsNew }: DeletedNoticeProps) => (
  <Alert color="yellow" mb="md" icon={<IconTrashOff aria-hidden />} role="alert">
    <Group justify="space-between" gap="sm">
      <Text size="sm">Someone deleted this {what}. Your text is still here.</Text>
      <Button size="compact-sm" variant="default" onClick={onSaveAsNew}>
        Save as a new {what}
      </Button>
    </Group>
  </Alert>
)

interface NewerVersionNoticeProps<F extends Fields> {
  draft: TemplateDraft<F>
  /** The stored version, as last read. */
  newest: Stored<F>
  /** What is being edited: "page" or "part". */
  what: string
}

/** Says that someone else has saved a newer version since you opened the editor. */
export const NewerVersionNotice = <F extends Fields>({ draft, newest, what }: NewerVersionNoticeProps<F>) => {
  const { base, isUnsaved, saving } = draft
  const isNewer =
    newest.updated_at !== null && base.updated_at !== null && newest.updated_at > base.updated_at
  if (!isNewer || saving.isPending) return null
  return (
    <Alert color="yellow" icon={<IconUserEdit aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Someone else saved this {what} <RelativeTime at={newest.updated_at ?? ''} />.
        </Text>
        {isUnsaved ? (
          <Button size="compact-sm" variant="default" onClick={() => draft.compare(newest)}>
            Compare with yours
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={() => draft.acceptTheirs(newest)}>
            Show the latest version
          </Button>
        )}
      </Group>
    </Alert>
  )
}

/** Why saving failed, unless a field or the deletion notice already says so. */
export const SaveError = ({ error, names }: { error: unknown; names: readonly string[] }) => {
  if (!error || isDeletedError(error)) return null
  const hasFieldError = Object.keys(templateErrors(error, [])).length > 0
  return hasFieldError ? null : <FormFailure error={error} names={names} />
}

interface TemplateConflictProps<F extends Fields> {
  draft: TemplateDraft<F>
  theirs: Stored<F>
  /** What is being edited: "page" or "part". */
  what: string
  /** Labels of the fields other than the body. */
  labels: Readonly<Record<string, string>>
}

/** Asks which version of a page or part to keep after two people changed it. */
export const TemplateConflict = <F extends Fields>(props: TemplateConflictProps<F>) => {
  const { draft, theirs, what, labels } = props
  const mine = useRef(draft.currentFields()).current
  const { fields: merged, conflicts } = mergeFields(draft.base.fields, mine, theirs.fields)
  return (
    <ConflictView
      title={`Someone else changed this ${what}`}
      theirs={{ name: 'Their version', text: theirs.fields.html, language: 'liquid' }}
      mine={{ name: 'Your version', text: merged.html, language: 'liquid' }}
      fieldConflicts={conflicts
        .filter(name => name !== 'html')
        .map(name => ({
          name,
          label: labels[name] ?? name,
          theirs: theirs.fields[name] ?? '',
          mine: mine[name] ?? '',
        }))}
      isSaving={draft.saving.isPending}
      onPostpone={draft.postpone}
      onAcceptTheirs={() => draft.acceptTheirs(theirs)}
      onSave={(html, fromTheirs) => {
        const chosen = { ...merged, html }
        for (const name of conflicts) if (fromTheirs.has(name)) chosen[name] = theirs.fields[name]
        draft.saveOver(theirs, chosen)
      }}
    >
      They saved it {theirs.updated_at && <RelativeTime at={theirs.updated_at} />}.
    </ConflictView>
  )
}
