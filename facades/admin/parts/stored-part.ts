import type { Fields, Stored } from '../editor/use-template-draft.ts'

export type PartValues = Fields & { name: string }

interface StoredPart {
  id: string
  name: string
  html: string
  updated_at: string
}

/** Converts a part from the API to the shape that the editor uses. */
export const storedPart = ({ id, name, html, updated_at }: StoredPart): Stored<PartValues> => ({
  id,
  fields: { name, html },
  updated_at,
})
