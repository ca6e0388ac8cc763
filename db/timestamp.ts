/** OID of the type timestamptz. */
export const TIMESTAMPTZ = 1184

/**
 * Matches a time in UTC with a precision of milliseconds as PostgreSQL writes it, without zeros at the end of the
 * fraction. The service stores all times with this precision.
 */
const UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/

/**
 * A `Date` that keeps its ISO 8601 text. Otherwise, converting a list of a hundred pages to JSON would take
 * longer than reading the list from the database. The setters of `Date` must not be used, because the text
 * would not change.
 */
class Timestamp extends Date {
  readonly #text: string

  constructor(text: string) {
    super(text)
    this.#text = text
  }

  override toISOString(): string {
    return this.#text
  }
}

/** Converts the text of a timestamptz. */
export const parseTimestamp = (text: string): Date => {
  const [, day, time, fraction = ''] = UTC.exec(text) ?? []
  return day === undefined ? new Date(text) : new Timestamp(`${day}T${time}.${fraction.padEnd(3, '0')}Z`)
}
