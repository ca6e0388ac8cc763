import { Button, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

interface SaveRecoveryCodesProps {
  handle: string
  codes: string[]
  /** Further notes, above the button. */
  children?: ReactNode
  onSaved: () => void
}

const LEAVE_WARNING = {
  title: 'Leave without the codes?',
  text: 'You can’t see them again. Without your password and these codes, only the operator can restore your access.',
}

/** Shows new recovery codes once. `onSaved` is called when the person has saved them. */
export const SaveRecoveryCodes = ({ handle, codes, children, onSaved }: SaveRecoveryCodesProps) => {
  const [isSaved, setSaved] = useState(false)
  const guard = useLeaveGuard(!isSaved, LEAVE_WARNING)
  const finish = () => {
    // Turn off the leave guard before `onSaved` navigates.
    flushSync(() => setSaved(true))
    onSaved()
  }
  return (
    <Stack>
      <AuthTitle title="Save your recovery codes" takesFocus>
        If you lose your password, you can sign in with one of these codes. They are shown only once: keep
        them where you keep your passwords, or on paper.
      </AuthTitle>
      <RecoveryCodes handle={handle} codes={codes} />
      {children}
      <Button onClick={finish}>I have saved them</Button>
      {guard}
    </Stack>
  )
}
