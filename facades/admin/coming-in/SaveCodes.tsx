import { Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { DoorTitle } from './DoorTitle.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

interface SaveCodesProps {
  handle: string
  codes: string[]
  /** What else there is to know. */
  children?: ReactNode
  onSaved: () => void
}

/** Shows new recovery codes, this once, before one goes in. */
export const SaveCodes = ({ handle, codes, children, onSaved }: SaveCodesProps) => (
  <Stack>
    <DoorTitle title="Save your recovery codes" takesOver>
      If you ever lose your password, one of these lets you in. They are shown this once: keep them where you
      keep passwords, or on paper.
    </DoorTitle>
    <RecoveryCodes handle={handle} codes={codes} />
    {children}
    <Button onClick={onSaved}>I have saved them</Button>
  </Stack>
)
