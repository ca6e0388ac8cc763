import { FormFailure } from '../feedback/FormFailure.tsx'
import { errorsOf } from './codes.ts'
import { isGone } from './Gone.tsx'

/** Why it could not be saved, unless that stands at a field already. */
export const SavingFailed = ({ error, names }: { error: unknown; names: readonly string[] }) => {
  // That it is gone is told by itself, with what to do about it.
  if (!error || isGone(error)) return null
  const shown = errorsOf(error, [])
  return Object.keys(shown).length > 0 ? null : <FormFailure error={error} names={names} />
}
