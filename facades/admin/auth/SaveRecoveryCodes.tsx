import { Button, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { AuthTitle } from './AuthTitle.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

interface SaveRecoveryCodesProps {
  handle: string
  codes: string[]
  /** What else there is to know. */
  children?: ReactNode
  onSaved: () => void
}

const LEAVING = {
  title: 'Leave without the codes?',
  text: 'They are not shown again. Without them and your password nobody can let you in but the operator of this service.',
}

/** Shows new recovery codes, this once, before one goes in. */
export const SaveRecoveryCodes = ({ handle, codes, children, onSaved }: SaveRecoveryCodesProps) => {
  const [isSaved, setSaved] = useState(false)
  const guard = useLeaveGuard(!isSaved, LEAVING)
  const goIn = () => {
    // The guard has to know before what follows leads away.
    flushSync(() => setSaved(true))
    onSaved()
  }
  return (
    <Stack>
      <AuthTitle title="Save your recovery codes" takesOver>
        If you ever lose your password, one of these lets you in. They are shown this once: keep them where
        you keep passwords, or on paper.
      </AuthTitle>
      <RecoveryCodes handle={handle} codes={codes} />
      {children}
      <Button onClick={goIn}>I have saved them</Button>
      {guard}
    </Stack>
  )
}
