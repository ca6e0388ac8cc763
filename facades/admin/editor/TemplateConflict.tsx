import { useRef } from 'react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { ConflictView } from './ConflictView.tsx'
import { mergeFields } from './merge-fields.ts'
import type { Fields, Stored, TemplateDraft } from './use-template-draft.ts'

interface TemplateConflictProps<F extends Fields> {
  draft: TemplateDraft<F>
  theirs: Stored<F>
  /** What is being edited: "page" or "part". */
  what: string
  /** Labels of the fields other than the body. */
  labels: Partial<Record<keyof F & string, string>>
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
