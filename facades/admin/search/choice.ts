import type { ReactNode } from 'react'

/** One option of a `ChoiceField`. */
export interface Choice {
  id: string
  title: string
  /** Distinguishes this option from others with the same title, for example by the kind of item. */
  text?: string
  icon: ReactNode
  choose: () => void
}

export interface ChoiceGroup {
  label: string
  choices: Choice[]
}
