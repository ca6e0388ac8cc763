import { Alert, Button, Group, Modal, Progress, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, client } from '../api.ts'
import { DialogActions } from '../feedback/DialogActions.tsx'
import { FormFailure } from '../feedback/FormFailure.tsx'
import { failureOf } from '../feedback/failure.ts'
import { Loaded, usePages } from '../feedback/Loaded.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { useFocusReturn } from '../feedback/use-focus-return.ts'
import { useSpace } from '../use-space.ts'
import { UndoPlan } from './UndoPlan.tsx'
import { changedItems, itemsOf, skippedItems } from './undo-counts.ts'

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
    mutationFn: (plan: string) => client.history.undo.mutate({ ...selection, plan }),
    onError: error => {
      if (failureOf(error).code === 'space_changed') void preview.refetch()
    },
  })
  const preview = usePages(
    [...api.history.previewUndo.pathKey(), selection],
    (cursor, options) =>
      client.history.previewUndo.query(
        { ...selection, limit: PAGE, ...(cursor === null ? {} : { cursor }) },
        options,
      ),
    { enabled: !undo.isSuccess, gcTime: 0 },
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
              <Progress.Section value={100} animated aria-label={`Undoing ${itemsOf(count)}`} />
            </Progress.Root>
          )}
          <FormFailure error={undo.error} />
          <DialogActions onCancel={close} isBusy={undo.isPending}>
            <Button
              loading={undo.isPending}
              disabled={count === 0 || preview.isFetching}
              onClick={() => first && undo.mutate(first.plan)}
            >
              Undo {itemsOf(count)}
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
  const { operation } = result
  const skipped = skippedItems(result)
  return (
    <Stack>
      <Alert color="leaf" role="status" title={`${itemsOf(changedItems(result))} restored`}>
        <Text size="sm">
          {skipped > 0 && `${itemsOf(skipped)} skipped. `}The undo is itself a change in the history, so you
          can undo it.
        </Text>
      </Alert>
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
