import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect, useRef } from 'react'
import { PasskeyError, signInWithPasskey } from './ceremony.ts'

/** Renew the challenge after this time, in ms. The service accepts it for five minutes. */
const RENEW_INTERVAL = 4 * 60 * 1000

interface AutofillOptions {
  /** Whether to offer passkeys at all. */
  enabled: boolean
  onSignedIn: () => void
  onFailure: (error: unknown) => void
}

/** Offers passkeys in the autofill suggestions of the handle field while the view is mounted. */
export const usePasskeyAutofill = ({ enabled, ...listeners }: AutofillOptions) => {
  const latest = useRef(listeners)
  latest.current = listeners
  useEffect(() => {
    if (!enabled) return
    const offering = new AbortController()
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || offering.signal.aborted) return
      try {
        await signInWithPasskey({ autofillSignal: offering.signal })
        // The session exists now, so report the sign-in even if the passkeys are no longer offered.
        latest.current.onSignedIn()
      } catch (error) {
        // A `PasskeyError` is not a failure: the person cancelled the request or ignored it.
        if (!offering.signal.aborted && !(error instanceof PasskeyError)) latest.current.onFailure(error)
      }
    }
    void offer()
    const timer = setInterval(() => void offer(), RENEW_INTERVAL)
    return () => {
      offering.abort()
      clearInterval(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [enabled])
}
