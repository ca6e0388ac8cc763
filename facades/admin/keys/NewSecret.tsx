import { Stack, Tabs, Text } from '@mantine/core'
import type { Guide } from '../../shared/connect.ts'
import { SecretDialog } from '../feedback/SecretDialog.tsx'
import { Snippet } from '../feedback/Snippet.tsx'
import { useLeaveGuard } from '../feedback/use-leave-guard.tsx'
import type { Noun } from './credential.ts'

interface NewSecretProps {
  noun: Noun
  label: string
  secret: string
  /** Extra information, such as when the replaced key stops working. */
  note?: string | undefined
  guides: Guide[]
  onSaved: () => void
}

/** Shows a new key or token once, with snippets for the programs that will use it. */
export const NewSecret = ({ noun, label, secret, note, guides, onSaved }: NewSecretProps) => {
  const guard = useLeaveGuard(true, {
    title: `Leave without saving the ${noun}?`,
    text: `You can’t see this ${noun} again. Save it before you leave.`,
  })
  return (
    <>
      <SecretDialog opened title={`Your new ${noun} “${label}”`} onSaved={onSaved}>
        <Snippet label={noun === 'key' ? 'Key' : 'Token'} text={secret} />
        {note && <Text size="sm">{note}</Text>}
        <Tabs defaultValue="0" variant="default" keepMounted={false}>
          <Tabs.List aria-label={`Ways to use the ${noun}`}>
            {guides.map(({ program }, index) => (
              <Tabs.Tab key={program} value={String(index)} px="sm">
                {program}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {guides.map(({ program, how, lines, alternative }, index) => (
            <Tabs.Panel key={program} value={String(index)} pt="sm">
              <Stack gap="xs">
                <Text size="sm">{how}</Text>
                <Snippet label={`Snippet for ${program}`} text={lines} />
                {alternative && (
                  <>
                    <Text size="sm">{alternative.how}</Text>
                    <Snippet label={`File for ${program}`} text={alternative.lines} />
                  </>
                )}
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      </SecretDialog>
      {guard}
    </>
  )
}
