const digits = (value: number) => String(value).padStart(2, '0')

/** Formats a time for an input of the type `datetime-local`, in the time zone of the browser. */
export const localTime = (time: Date): string =>
  `${time.getFullYear()}-${digits(time.getMonth() + 1)}-${digits(time.getDate())}T${digits(time.getHours())}:${digits(time.getMinutes())}`

/** Returns the instant of a value of such an input; an empty text if there is no value. */
export const toInstant = (local: string): string => {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString()
}

/** The name of the browser's time zone, such as Europe/Berlin. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
