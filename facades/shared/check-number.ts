/** A number's significant digits and exponent, equal for all spellings of the same value. */
const exact = (number: string): string => {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  // Use BigInt, because the exponent can have more digits than a number can hold.
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign}${significant}e${scale}`
}

/** Returns a problem if a JSON number would change when stored as a double; otherwise null. */
export const checkNumber = (number: string): { message: string; severity: 'error' | 'warning' } | null => {
  const stored = Number(number)
  const shown = number.length > 40 ? `${number.slice(0, 40)}…` : number
  if (!Number.isFinite(stored))
    return {
      message: `${shown} is too large for a number. Put it in double quotes to keep it as text.`,
      severity: 'error',
    }
  if (exact(String(stored)) === exact(number)) return null
  return {
    message: `${shown} will be saved as ${stored}, because numbers keep about 16 digits. To keep all digits, put the number in double quotes.`,
    severity: 'warning',
  }
}
