import type { Fields, Stored } from '../editor/use-template-draft.ts'

export type PartValues = Fields & { name: string }

/** Converts a part from the API to the shape that the editor uses. */
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
}): Stored<PartValues> => ({ id, fields: { name, html }, updated_at })

const EXAMPLE = `<nav>
  {% for other in pages %}
    <a href="{{ other.url }}">{{ other.slug }}</a>
  {% endfor %}
</nav>
`

/** A new part, with a menu as an example. */
export const NEW_PART: Stored<PartValues> = {
  id: null,
  fields: { name: '', html: EXAMPLE },
  updated_at: null,
}
