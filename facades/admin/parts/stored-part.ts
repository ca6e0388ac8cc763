import type { Fields, Stored } from '../editor/use-editing.ts'

export type PartFieldsOf = Fields & { name: string }

/** A part as the editor keeps it. */
export const storedPart = ({
  id,
  name,
  html,
  updated_at,
}: {
  id: string
  name: string
  html: string
  updated_at: string
}): Stored<PartFieldsOf> => ({ id, fields: { name, html }, updated_at })

const BEGINNING = `<nav>
  {% for other in pages %}
    <a href="{{ other.url }}">{{ other.slug }}</a>
  {% endfor %}
</nav>
`

/** A part that is not there yet. */
export const NEW_PART: Stored<PartFieldsOf> = {
  id: null,
  fields: { name: '', html: BEGINNING },
  updated_at: null,
}
