const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** Formats a number as the dashboard shows it: "1,234". */
export const formatNumber = (amount: number): string => number.format(amount)

/**
 * Formats a number of things: "1 file", "1,234 files".
 *
 * @param many the plural, if it is not `one` with an s
 */
export const counted = (amount: number, one: string, many = `${one}s`): string =>
  `${formatNumber(amount)} ${amount === 1 ? one : many}`

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

/** Formats a size in bytes, KB, MB or GB. 1 KB is 1,024 bytes. */
export const formatBytes = (size: number): string => {
  if (size === 1) return '1 byte'
  const step = Math.min(UNITS.length - 1, size < 1024 ? 0 : Math.floor(Math.log2(size) / 10))
  return `${number.format(size / 1024 ** step)} ${UNITS[step]}`
}
