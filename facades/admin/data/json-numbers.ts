/** A number's digits and the place of its point, the same for all its spellings. */
const exact = (number: string): string => {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  // Exponents may be as long as texts are; as numbers they would lose digits themselves.
  const scale = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${sign}${significant}e${scale}`
}

/** What becomes of a number that a double cannot hold as it is written; null for all others. */
export const numberFinding = (number: string): { message: string; severity: 'error' | 'warning' } | null => {
  const kept = Number(number)
  const shown = number.length > 40 ? `${number.slice(0, 40)}…` : number
  if (!Number.isFinite(kept))
    return {
      message: `${shown} is too large for a number. In double quotes it is kept as text.`,
      severity: 'error',
    }
  if (exact(String(kept)) === exact(number)) return null
  return {
    message: `${shown} is kept as ${kept}: a number has about 16 digits. In double quotes all of them stay.`,
    severity: 'warning',
  }
}
