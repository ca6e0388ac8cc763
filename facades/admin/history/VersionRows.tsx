import { Checkbox, Group, Text } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { useState } from 'react'
import { ButtonLink } from '../shell/ButtonLink.tsx'
import { Rows } from '../shell/Rows.tsx'
import { ChangeRow } from './ChangeRow.tsx'
import { type Change, timeOf } from './describe.ts'

/**
 * The changes of one item. Each change produced a version, and two versions can be chosen for a comparison. By default,
 * the newest two are chosen.
 */
export const VersionRows = ({ subdomain, changes }: { subdomain: string; changes: Change[] }) => {
  const [picked, setPicked] = useState<readonly string[] | null>(null)
  const listed = changes.map(({ id }) => id)
  const chosen = picked ?? listed.slice(0, 2)
  const [newer, older] = listed.filter(id => chosen.includes(id))
  // If a third version is chosen, the one that was chosen first is deselected.
  const toggle = (id: string) =>
    setPicked(chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id].slice(-2))
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {changes.length > 1 ? 'Choose two versions to compare.' : 'There is only one version so far.'}
        </Text>
        {newer !== undefined && older !== undefined && (
          <ButtonLink
            to="/spaces/$subdomain/history/compare"
            params={{ subdomain }}
            search={{ from: older, to: newer }}
            leftSection={<IconColumns size={18} aria-hidden />}
          >
            Compare the two
          </ButtonLink>
        )}
      </Group>
      <Rows label="Changes">
        {changes.map((change, index) => (
          <ChangeRow key={change.id} subdomain={subdomain} change={change}>
            <Checkbox
              label="Choose"
              aria-label={`Choose the version of ${timeOf(change)}`}
              checked={chosen.includes(change.id)}
              onChange={() => toggle(change.id)}
            />
            {index > 0 && (
              <ButtonLink
                variant="default"
                size="xs"
                to="/spaces/$subdomain/history/compare"
                params={{ subdomain }}
                search={{ from: change.id }}
                aria-label={`Compare with now: the version of ${timeOf(change)}`}
              >
                Compare with now
              </ButtonLink>
            )}
          </ChangeRow>
        ))}
      </Rows>
    </>
  )
}
