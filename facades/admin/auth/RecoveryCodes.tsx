import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { saveFile } from '../save-file.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { useLeaveGuard } from '../ui/use-leave-guard.tsx'
import { AuthTitle } from './AuthTitle.tsx'

/** The text of the downloaded file. It says what the codes are for. */
const fileText = (handle: string, codes: string[]) =>
  [
    `Recovery codes for ${handle} at ${new URL('..', document.baseURI).href}`,
    'Each code signs you in once, without your password.',
    '',
    ...codes,
    '',
  ].join('\n')

/** Lists recovery codes, with buttons to copy and download them. */
export const RecoveryCodes = ({ handle, codes }: { handle: string; codes: string[] }) => {
  const file = fileText(handle, codes)
  return (
    <Stack gap="sm">
      <SimpleGrid
        component="ol"
        cols={{ base: 1, xs: 2 }}
        spacing="xs"
        verticalSpacing="xs"
        aria-label="Recovery codes"
        style={{ listStyle: 'none', padding: 0, margin: 0 }}
      >
        {codes.map(code => (
          <Code key={code} component="li" ta="center" px={4} py={6} fz={13} style={{ whiteSpace: 'nowrap' }}>
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group gap="xs" grow>
        <CopyButton value={codes.join('\n')} what="recovery codes" size="sm" />
        <Button
          variant="light"
          size="sm"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile('space-site-recovery-codes.txt', new Blob([file], { type: 'text/plain' }))}
        >
          Download
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Letter case, spaces and hyphens don’t matter when you enter a code.
      </Text>
    </Stack>
  )
}

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
