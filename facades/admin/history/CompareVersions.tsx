import { Button, Group, Stack, Text } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { shownText } from '../../../routers/api/shown-text.ts'
import picture from '../../shared/illustrations/history.svg?raw'
import { api, type Outputs } from '../api.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { ViewTitle } from '../ui/ViewTitle.tsx'
import { useSpace } from '../use-space.ts'
import { Comparison } from './Comparison.tsx'
import { actorName, type Change, timeOf, titleOf } from './describe.ts'
import { AllChanges } from './links.tsx'
import { RestoreStatus } from './RestoreStatus.tsx'
import { useRestore } from './use-restore.ts'

/** Two versions of an item, or one version and the current state, side by side. */
export const CompareVersions = () => {
  const { subdomain } = useSpace()
  const { from, to } = useSearch({ from: '/signed-in/spaces/$subdomain/history/compare' })
  const comparison = useQuery(
    api.history.compare.queryOptions(from === undefined ? skipToken : { subdomain, from, to }),
  )
  if (from === undefined) return <NothingChosen />
  return (
    <Loaded query={comparison} level={1}>
      {compared => <Versions {...compared} />}
    </Loaded>
  )
}

/** Shown if the URL names no version. */
const NothingChosen = () => {
  const { subdomain, name } = useSpace()
  return (
    <>
      <ViewTitle title="Compare versions" of={name} />
      <Empty
        picture={picture}
        title="No versions chosen"
        text="The history of a page, part, record or file lists its versions. Choose two of them there."
      >
        <ButtonLink to="/spaces/$subdomain/history" params={{ subdomain }}>
          Open the history
        </ButtonLink>
      </Empty>
    </>
  )
}

const nameOf = (change: Change | null) =>
  change === null ? 'Now' : `${timeOf(change)}, by ${shownText(actorName(change.actor))}`

const Versions = ({ from, from_change, to, to_change }: Outputs['history']['compare']) => {
  const { name } = useSpace()
  const sides = [
    { name: nameOf(from_change), state: from, change: from_change },
    { name: nameOf(to_change), state: to, change: to_change },
  ] as const
  const isReversed = to_change !== null && to_change.at < from_change.at
  const [left, right] = isReversed ? [sides[1], sides[0]] : sides
  return (
    <>
      <ViewTitle
        title={`Compare ${shownText(titleOf(to_change ?? from_change))}`}
        of={name}
        text={to_change === null ? 'An earlier version and the current one.' : 'Two versions.'}
      >
        <AllChanges change={from_change} />
      </ViewTitle>
      <Stack>
        <Comparison kind={from_change.kind} left={left} right={right} />
        {from === null && to === null ? (
          <Text c="dimmed">It exists in neither of these versions.</Text>
        ) : (
          [left, right].map(
            side =>
              side.state === null && (
                <Text key={side.name} c="dimmed">
                  {side.change === null ? 'This item no longer exists.' : `Deleted ${side.name}.`}
                </Text>
              ),
          )
        )}
        <Group align="flex-start" grow preventGrowOverflow={false}>
          {[left, right].map(
            ({ change, state }) =>
              change !== null &&
              state !== null && (
                <RestoreVersion key={change.id} change={change} isOlder={change === left.change} />
              ),
          )}
        </Group>
      </Stack>
    </>
  )
}

const RestoreVersion = ({ change, isOlder }: { change: Change; isOlder: boolean }) => {
  const { subdomain } = useSpace()
  const restore = useRestore(subdomain, change)
  return (
    <Stack align="flex-start">
      <RestoreStatus restore={restore} change={change} />
      <Button
        variant={isOlder ? 'filled' : 'default'}
        leftSection={<IconRestore size={18} aria-hidden />}
        loading={restore.isPending}
        onClick={() => restore.run('after')}
      >
        Restore the {isOlder ? 'older' : 'newer'} version
      </Button>
    </Stack>
  )
}
