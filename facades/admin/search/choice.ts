import type { ReactNode } from 'react'

/** One option of a `ChoiceField`. */
export interface Choice {
  id: string
  title: string
  /** What distinguishes it from others with the same title, such as the kind of item. */
  text?: string
  icon: ReactNode
  choose: () => void
}

export interface ChoiceGroup {
  label: string
  choices: Choice[]
}
