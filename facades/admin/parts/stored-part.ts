import type { Fields, Stored } from '../editor/use-editing.ts'

export type PartFieldsOf = Fields & { name: string }

/** A part as the editor keeps it. */
export const storedPart = ({
  name,
  html,
  updated_at,
}: {
  name: string
  html: string
  updated_at: string
}): Stored<PartFieldsOf> => ({ fields: { name, html }, updated_at })
