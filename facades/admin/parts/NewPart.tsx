import { useNavigate } from '@tanstack/react-router'
import { api, client, queries } from '../api.ts'
import { SaveButton } from '../editor/SaveButton.tsx'
import { useEditing } from '../editor/use-editing.ts'
import { ViewTitle } from '../shell/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { PartEditor } from './PartEditor.tsx'
import { type PartFieldsOf, storedPart } from './stored-part.ts'

const BEGINNING = `<nav>
  {% for other in pages %}
    <a href="{{ other.url }}">{{ other.slug }}</a>
  {% endfor %}
</nav>
`

/** Writes a part that is not there yet. With the first save this view becomes the part's own. */
export const NewPart = () => {
  const { subdomain, name } = useSpace()
  const navigate = useNavigate()
  const editing = useEditing<PartFieldsOf>({
    stored: { fields: { name: '', html: BEGINNING }, updated_at: null },
    save: async fields => {
      const part = await client.parts.create.mutate({ subdomain, ...fields })
      await queries.invalidateQueries(api.parts.pathFilter())
      await navigate({
        to: '/spaces/$subdomain/parts/$partId',
        params: { subdomain, partId: part.id },
        replace: true,
        ignoreBlocker: true,
      })
      return { saved: true, stored: storedPart({ ...part, html: fields.html }) }
    },
    onSaved: () => {},
  })
  return (
    <>
      <ViewTitle title="New part" of={name}>
        <SaveButton
          isNew
          isUnsaved={editing.isUnsaved}
          isSaving={editing.saving.isPending}
          onSave={editing.save}
        />
      </ViewTitle>
      <PartEditor editing={editing} onSave={editing.save} />
    </>
  )
}
