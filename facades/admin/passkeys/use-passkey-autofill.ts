import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { useEffect, useRef } from 'react'
import { PasskeyError, signInWithPasskey } from './ceremony.ts'

/** Milliseconds after which the browser gets a new challenge; the service takes an answer for five minutes. */
const RENEW = 4 * 60 * 1000

interface AutofillOptions {
  /** Whether to offer passkeys at all. */
  enabled: boolean
  onSignedIn: () => void
  onFailure: (error: unknown) => void
}

/** Offers passkeys where the browser fills in handles, for as long as the view is shown. */
export const usePasskeyAutofill = ({ enabled, ...listeners }: AutofillOptions) => {
  const heard = useRef(listeners)
  heard.current = listeners
  useEffect(() => {
    if (!enabled) return
    let isOver = false
    const offer = async () => {
      if (!(await browserSupportsWebAuthnAutofill()) || isOver) return
      try {
        await signInWithPasskey({ inAutofill: true })
        if (!isOver) heard.current.onSignedIn()
      } catch (error) {
        // Asked anew, asked otherwise, or not picked: nobody needs to be told.
        if (!isOver && !(error instanceof PasskeyError)) heard.current.onFailure(error)
      }
    }
    void offer()
    const timer = setInterval(() => void offer(), RENEW)
    return () => {
      isOver = true
      clearInterval(timer)
      WebAuthnAbortService.cancelCeremony()
    }
  }, [enabled])
}
