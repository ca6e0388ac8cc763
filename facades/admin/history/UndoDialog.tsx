import { Alert, Button, Group, List, Modal, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api, type Outputs, rpc } from '../api.ts'
import { FailingPages } from '../spaces/FailingPages.tsx'
import { DialogActions } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import { failureOf } from '../ui/failure.ts'
import { useFocusReturn } from '../ui/focus-after-dialog.ts'
import { Loaded, type Pages, ShowMore, usePages } from '../ui/Loaded.tsx'
import { Loading } from '../ui/Loading.tsx'
import { counted } from '../ui/numbers.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { useSpace } from '../use-space.ts'
import { actorName } from './describe.ts'

/** The changes to undo: all changes of one operation, or all changes by one actor in a period. */
type Selection = { operation: string } | { actor: string; since: string; until?: string | undefined }

/** Number of items of the preview to load per request. */
const PAGE = 50

interface UndoDialogProps {
  title: string
  selection: Selection
  /** Fields that change the selection. */
  fields?: ReactNode
  onClose: () => void
}

/** Dialog that previews an undo, performs it after confirmation, and then offers to undo the undo. */
export const UndoDialog = ({ title, selection: initial, fields, onClose }: UndoDialogProps) => {
  const { subdomain } = useSpace()
  useFocusReturn()
  /** The id of an earlier undo, if the person has chosen to undo it in this dialog; otherwise null. */
  const [operation, setOperation] = useState<string | null>(null)
  const selection = { subdomain, ...(operation === null ? initial : { operation }) }
  const undo = useMutation({
    mutationKey: api.history.pathKey(),
    mutationFn: (plan: string) => rpc.history.undo.mutate({ ...selection, plan }),
    onError: error => {
      if (failureOf(error).code === 'space_changed') void preview.refetch()
    },
  })
  const preview = usePages(
    [...api.history.previewUndo.pathKey(), selection],
    (cursor, options) =>
      rpc.history.previewUndo.query(
        { ...selection, limit: PAGE, ...(cursor === null ? {} : { cursor }) },
        options,
      ),
    // A plan that someone is about to confirm must not become another one when they have looked at another tab.
    { enabled: !undo.isSuccess, gcTime: 0, staleTime: 'static' },
  )
  const close = () => {
    // A running undo can't be cancelled.
    if (!undo.isPending) onClose()
  }
  const [first] = preview.data?.pages ?? []
  const count = first ? changedItems(first) : 0
  return (
    <Modal opened onClose={close} centered size="lg" title={operation === null ? title : 'Undo the undo'}>
      {undo.isSuccess ? (
        <Undone
          result={undo.data}
          onUndo={done => {
            setOperation(done)
            undo.reset()
          }}
          onClose={onClose}
        />
      ) : (
        <Stack>
          {operation === null && fields}
          <Loaded query={preview} placeholder={<Loading rows={2} />}>
            {({ pages }) => <UndoPlan preview={preview} pages={pages} />}
          </Loaded>
          {undo.isPending && (
            <Progress.Root>
              <Progress.Section value={100} animated aria-label={`Undoing ${counted(count, 'item')}`} />
            </Progress.Root>
          )}
          <FormFailure error={undo.error} />
          <DialogActions onCancel={close} isBusy={undo.isPending}>
            <Button
              loading={undo.isPending}
              disabled={count === 0 || preview.isFetching}
              onClick={() => first && undo.mutate(first.plan)}
            >
              Undo {counted(count, 'item')}
            </Button>
          </DialogActions>
        </Stack>
      )}
    </Modal>
  )
}

interface UndoneProps {
  result: Parameters<typeof changedItems>[0] & { operation: string | null }
  onUndo: (operation: string) => void
  onClose: () => void
}

const Undone = ({ result, onUndo, onClose }: UndoneProps) => {
  const { subdomain } = useSpace()
  const { operation } = result
  const skipped = skippedItems(result)
  return (
    <Stack>
      <Alert color="leaf" role="status" title={`${counted(changedItems(result), 'item')} restored`}>
        <Text size="sm">
          {skipped > 0 && `${counted(skipped, 'item')} skipped. `}The undo is itself a change in the history,
          so you can undo it.
        </Text>
      </Alert>
      <FailingPages subdomain={subdomain} />
      <Group justify="flex-end">
        {operation !== null && (
          <Button variant="default" onClick={() => onUndo(operation)}>
            Undo this
          </Button>
        )}
        {/* Takes the focus, because the button that had it is gone. */}
        <Button ref={button => button?.focus()} onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  )
}

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

export type Plan = Outputs['history']['previewUndo']
type Counted = Pick<Plan, 'counts'>
export type Outcome = Plan['counts'][number]['outcome']

const SKIPPED: ReadonlySet<Outcome> = new Set(['changed_since', 'name_taken'])

const sum = ({ counts }: Counted, isCounted: (outcome: Outcome) => boolean) =>
  counts.reduce((total, { outcome, count }) => (isCounted(outcome) ? total + count : total), 0)

/** Number of items that an undo changes. */
export const changedItems = (plan: Counted): number => sum(plan, outcome => !SKIPPED.has(outcome))

/** Number of items that an undo skips. */
export const skippedItems = (plan: Counted): number => sum(plan, outcome => SKIPPED.has(outcome))

const NOUNS: Record<Plan['counts'][number]['kind'], string> = {
  page: 'page',
  part: 'part',
  record: 'record',
  file: 'file',
  space: 'setting',
}

/** Counts the items with an outcome, by kind: "2 pages, 1 record"; empty if there are none. */
export const describeCounts = ({ counts }: Counted, outcome: Outcome): string =>
  counts
    .filter(items => items.outcome === outcome)
    .map(({ kind, count }) => counted(count, NOUNS[kind]))
    .join(', ')
