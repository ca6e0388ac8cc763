import { Alert, Button, Group, Text } from '@mantine/core'
import { IconTrashOff, IconUserEdit } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { mergeFields } from '../../shared/merge-fields.ts'
import { useChanges } from '../live/changes.ts'
import { FormFailure } from '../ui/FormFailure.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { ConflictView } from './ConflictView.tsx'
import { type LastAuthor, lastAuthorOf, SOMEONE, useLastAuthorTitle } from './last-author.ts'
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

/**
 * Says that someone else has saved a newer version since you opened the editor. If you have not typed anything, the
 * editor shows that version.
 */
export const NewerVersionNotice = <F extends Fields>({ draft, newest, what }: NewerVersionNoticeProps<F>) => {
  const { base, isUnsaved, saving, undoing, place } = draft
  const change = useChanges(place.subdomain).find(
    ({ kind, thing }) => kind === place.kind && thing === newest.id,
  )
  const author = change ? lastAuthorOf(change) : SOMEONE
  const isBusy = saving.isPending || undoing.isPending
  const isNewer =
    !isBusy && newest.updated_at !== null && base.updated_at !== null && newest.updated_at > base.updated_at
  const [taken, setTaken] = useState<(LastAuthor & { version: string | null }) | null>(null)
  const take = useEffectEvent(() => {
    // What was typed since the last rendering must not be replaced.
    if (draft.isUnsavedNow()) return
    setTaken({ version: newest.updated_at, ...author })
    draft.acceptTheirs(newest)
  })
  const isTaken = isNewer && !isUnsaved
  useEffect(() => {
    if (isTaken) take()
  }, [isTaken])
  if (isNewer && isUnsaved)
    return (
      <Alert color="yellow" icon={<IconUserEdit aria-hidden />} role="status">
        <Group justify="space-between" gap="sm">
          <Text size="sm">
            A newer version of this {what} was saved by {author.who}
            {author.where} <RelativeTime at={newest.updated_at ?? ''} />.
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => draft.compare(newest)}>
            Compare with yours
          </Button>
        </Group>
      </Alert>
    )
  const isShown = taken !== null && taken.version === base.updated_at && !isUnsaved
  return (
    <Text size="sm" c="dimmed" role="status" mb={isShown ? 'sm' : 0}>
      {isShown && (
        <>
          You see the version of this {what} that {taken.who} saved{taken.where}{' '}
          <RelativeTime at={taken.version ?? ''} />.
        </>
      )}
    </Text>
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
  /** What is being edited. */
  what: 'page' | 'part'
  /** Labels of the fields other than the body. */
  labels: Readonly<Record<string, string>>
}

/** Asks which version of a page or part to keep after two people changed it. */
export const TemplateConflict = <F extends Fields>(props: TemplateConflictProps<F>) => {
  const { draft, theirs, what, labels } = props
  const mine = useRef(draft.currentFields()).current
  const { subdomain } = draft.place
  const title = useLastAuthorTitle(what, { subdomain, kind: what, thing: theirs.id! })
  const { fields: merged, conflicts } = mergeFields(draft.base.fields, mine, theirs.fields)
  return (
    <ConflictView
      title={title}
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
      It was saved {theirs.updated_at && <RelativeTime at={theirs.updated_at} />}.
    </ConflictView>
  )
}
