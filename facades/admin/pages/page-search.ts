interface NewPage {
  /** Name of the example that a new page starts with. */
  example?: string
}

/** Validates the search parameters of a new page. */
export const newPageSearch = ({ example }: Record<string, unknown>): NewPage =>
  typeof example === 'string' ? { example } : {}
