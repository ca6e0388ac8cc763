import { Alert, List, Text } from '@mantine/core'
import { shownText } from '../../../routers/api/shown-text.ts'
import { type Pages, ShowMore } from '../feedback/Loaded.tsx'
import { RelativeTime } from '../feedback/RelativeTime.tsx'
import { actorName } from './describe.ts'
import { changedItems, describeCounts, type Outcome, type Plan, skippedItems } from './undo-counts.ts'

const EFFECTS: Record<Plan['steps'][number]['effect'], string> = {
  delete: 'will be deleted',
  bring_back: 'will be brought back',
  change: 'will be restored to its earlier version',
}

/** The outcomes in the order of the summary. */
const SUMMARY: [outcome: Outcome, label: string][] = [
  ['change', 'Changed to an earlier version'],
  ['bring_back', 'Brought back'],
  ['delete', 'Deleted'],
  ['changed_since', 'Skipped because of later changes'],
  ['name_taken', 'Skipped because the name is taken'],
]

/**
 * The reason shown for a skipped item. If the plan names a later change of the item, the view shows who made the later
 * change instead.
 */
const WHY_SKIPPED: Record<Plan['skipped'][number]['reason'], string> = {
  changed_since: 'changed again later',
  name_taken: 'its earlier name is now used by another item',
}

interface UndoPlanProps {
  preview: Pages<Plan>
  pages: readonly Plan[]
}

/** What an undo would do: a summary of all items, and the items loaded so far. */
export const UndoPlan = ({ preview, pages }: UndoPlanProps) => {
  const [first] = pages
  if (first === undefined) return null
  const steps = pages.flatMap(page => page.steps)
  const skipped = pages.flatMap(page => page.skipped)
  const hasChanges = changedItems(first) > 0
  return (
    <>
      <Text size="sm">
        {hasChanges
          ? 'Each item goes back to its version before these changes. You can undo this, too.'
          : skippedItems(first) > 0
            ? 'Nothing can be undone: all items are skipped.'
            : 'There is nothing to undo.'}
      </Text>
      <List size="sm" aria-label="Summary">
        {SUMMARY.map(([outcome, label]) => {
          const counted = describeCounts(first, outcome)
          return (
            counted && (
              <List.Item key={outcome}>
                {label}: <b>{counted}</b>
              </List.Item>
            )
          )
        })}
      </List>
      {steps.some(({ trimmed }) => trimmed) && (
        <Alert color="yellow" title="Some earlier versions are no longer kept">
          The items marked below will be restored to the oldest version that is still kept. That version may
          already contain some of these changes.
        </Alert>
      )}
      {steps.length > 0 && (
        <List size="sm" aria-label="Changed items">
          {steps.map(({ kind, thing, name, effect, trimmed }) => (
            <List.Item key={`${kind} ${thing}`} style={{ overflowWrap: 'anywhere' }}>
              {kind} <b>{shownText(name ?? thing)}</b>{' '}
              {trimmed ? 'will be restored to the oldest version that is still kept' : EFFECTS[effect]}
            </List.Item>
          ))}
        </List>
      )}
      {skipped.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            Skipped
          </Text>
          <List size="sm" aria-label="Skipped items">
            {skipped.map(({ kind, thing, name, reason, later }) => (
              <List.Item key={`${kind} ${thing}`} style={{ overflowWrap: 'anywhere' }}>
                {kind} <b>{shownText(name ?? thing)}</b>:{' '}
                {!later ? (
                  WHY_SKIPPED[reason]
                ) : (
                  <>
                    later changed by{' '}
                    {shownText(
                      actorName({ kind: later.actor_kind, label: later.actor_label, handle: later.handle }),
                    )}
                    , <RelativeTime at={later.at} />
                  </>
                )}
              </List.Item>
            ))}
          </List>
        </>
      )}
      <ShowMore pages={preview}>Show more items</ShowMore>
    </>
  )
}
