import { useRef } from 'react'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { Conflict } from './Conflict.tsx'
import { mergeFields } from './merge-fields.ts'
import type { Editing, Fields, Stored } from './use-editing.ts'

interface TemplateConflictProps<F extends Fields> {
  editing: Editing<F>
  theirs: Stored<F>
  /** What is changed: "page", "part". */
  what: string
  /** Names of the fields besides the body. */
  labels: Partial<Record<keyof F & string, string>>
}

/** Asks what is to be kept of a page or a part that two people have changed. */
export const TemplateConflict = <F extends Fields>(props: TemplateConflictProps<F>) => {
  const { editing, theirs, what, labels } = props
  const mine = useRef(editing.current()).current
  const { fields: merged, disputed } = mergeFields(editing.base.fields, mine, theirs.fields)
  return (
    <Conflict
      title={`Somebody else changed this ${what}`}
      theirs={{ name: 'Theirs', text: theirs.fields.html, language: 'liquid' }}
      mine={{ name: 'Yours', text: merged.html, language: 'liquid' }}
      disputes={disputed
        .filter(name => name !== 'html')
        .map(name => ({
          name,
          label: labels[name] ?? name,
          theirs: theirs.fields[name] ?? '',
          mine: mine[name] ?? '',
        }))}
      isSaving={editing.saving.isPending}
      onPutOff={editing.putOff}
      onTakeTheirs={() => editing.takeTheirs(theirs)}
      onSave={(html, asTheirs) => {
        const chosen = { ...merged, html }
        for (const name of disputed) if (asTheirs.has(name)) chosen[name] = theirs.fields[name]
        editing.saveOver(theirs, chosen)
      }}
    >
      They saved it {theirs.updated_at && <RelativeTime at={theirs.updated_at} />}.
    </Conflict>
  )
}
