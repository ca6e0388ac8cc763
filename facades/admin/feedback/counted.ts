const number = new Intl.NumberFormat('en')

/** Formats a number as the dashboard shows it: "1,234". */
export const formatNumber = (amount: number): string => number.format(amount)

/**
 * Formats a number of things: "1 file", "1,234 files".
 *
 * @param many the plural, if it is not `one` with an s
 */
export const counted = (amount: number, one: string, many = `${one}s`): string =>
  `${formatNumber(amount)} ${amount === 1 ? one : many}`
