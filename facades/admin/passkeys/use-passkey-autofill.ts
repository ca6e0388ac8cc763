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
    let isUnmounted = false
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || isUnmounted) return
      try {
        await signInWithPasskey({ inAutofill: true })
        if (!isUnmounted) latest.current.onSignedIn()
      } catch (error) {
        // A `PasskeyError` is no failure: the person cancelled the request or ignored it.
        if (!isUnmounted && !(error instanceof PasskeyError)) latest.current.onFailure(error)
      }
    }
    void offer()
    const timer = setInterval(() => void offer(), RENEW_INTERVAL)
    return () => {
      isUnmounted = true
      clearInterval(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [enabled])
}
