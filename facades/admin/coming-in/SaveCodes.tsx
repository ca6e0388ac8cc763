import { Button, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import { DoorTitle } from './DoorTitle.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

interface SaveCodesProps {
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
export const SaveCodes = ({ handle, codes, children, onSaved }: SaveCodesProps) => {
  const [isSaved, setSaved] = useState(false)
  const guard = useLeaveGuard(!isSaved, LEAVING)
  const goIn = () => {
    // The guard has to know before what follows leads away.
    flushSync(() => setSaved(true))
    onSaved()
  }
  return (
    <Stack>
      <DoorTitle title="Save your recovery codes" takesOver>
        If you ever lose your password, one of these lets you in. They are shown this once: keep them where
        you keep passwords, or on paper.
      </DoorTitle>
      <RecoveryCodes handle={handle} codes={codes} />
      {children}
      <Button onClick={goIn}>I have saved them</Button>
      {guard}
    </Stack>
  )
}
