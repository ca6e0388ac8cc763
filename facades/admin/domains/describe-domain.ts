import type { Outputs } from '../api.ts'

export type OwnDomain = Outputs['domains']['list']['domains'][number]

/** The name of a domain as a person reads it, with the form that DNS uses if the two differ. */
export const nameOf = ({ name, shown_name: shown }: Pick<OwnDomain, 'name' | 'shown_name'>): string =>
  shown === null ? name : `${shown} (${name})`

/** A domain's state in a word or two, and the color of its badge. */
export const badgeOf = ({ state }: OwnDomain): { label: string; color: string } =>
  ({
    pending: { label: 'Waiting for DNS', color: 'yellow' },
    verified: { label: 'Verified', color: 'blue' },
    ready: { label: 'Redirects', color: 'gray' },
    main: { label: 'Main address', color: 'green' },
  })[state]

const seenAddress = ({ seen, is_here: isHere }: OwnDomain): string => {
  if (!seen || (seen.addresses.length === 0 && seen.alias === null))
    return 'The name does not lead anywhere yet.'
  if (isHere) return 'The name leads here.'
  const where = seen.alias ?? seen.addresses.join(', ')
  return `The name leads to ${where}, which is not this service.`
}

const seenProof = ({ is_proved: isProved, seen }: OwnDomain): string => {
  if (isProved) return 'The TXT record is set.'
  return seen !== null && seen.other_proofs > 0
    ? 'The TXT record has another value: copy the one below.'
    : 'The TXT record is missing.'
}

/** Says what the last check saw and what is missing, one sentence each. */
export const sentencesOf = (domain: OwnDomain): string[] => {
  const {
    state,
    checked_at: checked,
    is_taken: isTaken,
    has_certificate: hasCertificate,
    ends_at: end,
  } = domain
  if (checked === null) return ['The first check takes a few seconds.']
  const sentences: string[] = []
  if (isTaken)
    sentences.push('Another space has proved this name. Its owner has to remove the name there first.')
  if (state === 'pending' || end !== null) sentences.push(seenProof(domain), seenAddress(domain))
  if (state === 'verified' && hasCertificate === false)
    sentences.push(
      domain.seen?.certificate_error
        ? `There is no valid certificate yet (${domain.seen.certificate_error}). The next check tries again.`
        : 'The next check looks for its certificate.',
    )
  if (hasCertificate) sentences.push('Its certificate is issued.')
  if (state === 'ready') sentences.push('Redirects to the main address.')
  if (state === 'main') sentences.push('This is your main address.')
  return sentences
}
