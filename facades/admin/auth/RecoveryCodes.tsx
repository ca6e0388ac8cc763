import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CopyButton } from '../feedback/CopyButton.tsx'
import { saveFile } from '../save-file.ts'

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
