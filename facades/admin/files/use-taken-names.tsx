import { Button, Checkbox, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { shownText } from '../../../routers/api/shown-text.ts'
import { api, queryClient } from '../api.ts'
import { DialogActions } from '../ui/Confirm.tsx'
import type { Upload } from './upload-queue.ts'

/** A file to upload, and the name to store it under. */
interface NamedFile {
  file: File
  name: string
}

/** A file whose upload can start: under a free name, or as the new content of an existing file. */
export type Settled<File extends NamedFile> = File & { replaces: Upload['replaces'] }

/**
 * Starts uploads. If the space already has a file with the same name, first asks whether to replace that file.
 *
 * @param uploads the uploads of this view; their names count as taken too
 * @param start starts uploads
 * @returns `add`, a stable callback, and the dialog that asks
 */
export const useTakenNames = <Incoming extends NamedFile>(
  subdomain: string,
  uploads: readonly Upload[],
  start: (files: Settled<Incoming>[]) => void,
): { add: (files: Incoming[]) => void; dialog: ReactNode } => {
  // The files that wait for an answer. The dialog asks about the first one.
  const [asked, setAsked] = useState<Settled<Incoming>[]>([])
  const latestStart = useRef(start)
  latestStart.current = start
  const options = api.files.list.queryOptions({ subdomain })

  const add = useCallback(
    (files: Incoming[]) => {
      const settle = async () => {
        // If the list can't be loaded, another error message says so. The service still accepts the files.
        const stored = await queryClient
          .query(api.files.list.queryOptions({ subdomain }))
          .then(({ data }) => data)
          .catch(() => [])
        const settled = files.map(file => ({
          ...file,
          replaces: stored.find(({ name }) => name.normalize() === file.name.normalize()) ?? null,
        }))
        latestStart.current(settled.filter(({ replaces }) => replaces === null))
        setAsked(before => [...before, ...settled.filter(({ replaces }) => replaces)])
      }
      void settle()
    },
    [subdomain],
  )

  const [first] = asked
  const taken = new Set(
    [...(queryClient.getQueryData(options.queryKey)?.data ?? []), ...uploads].map(({ name }) => name),
  )
  const answer = (settle: (file: Settled<Incoming>) => Settled<Incoming> | null, forAll: boolean) => {
    const now = forAll ? asked : asked.slice(0, 1)
    latestStart.current(now.flatMap(file => settle(file) ?? []))
    setAsked(asked.slice(now.length))
  }
  const keepBoth = (file: Settled<Incoming>): Settled<Incoming> => {
    const name = freeName(file.name, taken)
    taken.add(name)
    return { ...file, name, replaces: null }
  }
  const dialog = first && (
    <NameTaken
      key={asked.length}
      name={first.name}
      otherName={freeName(first.name, taken)}
      others={asked.length - 1}
      onReplace={forAll => answer(file => file, forAll)}
      onKeepBoth={forAll => answer(keepBoth, forAll)}
      onCancel={forAll => answer(() => null, forAll)}
    />
  )
  return { add, dialog }
}

interface NameTakenProps {
  name: string
  /** The name that the new file gets if both are kept. */
  otherName: string
  /** How many other files also have names that are taken. */
  others: number
  /** One callback for each answer. `forAll`: whether the answer also applies to the `others`. */
  onReplace: (forAll: boolean) => void
  onKeepBoth: (forAll: boolean) => void
  onCancel: (forAll: boolean) => void
}

/** Asks whether a new file replaces the existing file with the same name. */
export const NameTaken = ({ name, otherName, others, onReplace, onKeepBoth, onCancel }: NameTakenProps) => {
  const [forAll, setForAll] = useState(false)
  return (
    <Modal opened onClose={() => onCancel(forAll)} title={`Replace ${shownText(name)}?`} centered>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The space has a file named {shownText(name)}. If you replace it, the new content appears wherever
          the file is used. If you keep both, the new file is named {shownText(otherName)}.
        </Text>
        {others > 0 && (
          <Checkbox
            label={others === 1 ? 'Do the same for one more file' : `Do the same for ${others} more files`}
            checked={forAll}
            onChange={event => setForAll(event.currentTarget.checked)}
          />
        )}
        <DialogActions onCancel={() => onCancel(forAll)}>
          <Button variant="default" onClick={() => onReplace(forAll)}>
            Replace file
          </Button>
          <Button onClick={() => onKeepBoth(forAll)} data-autofocus>
            Keep both
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  )
}

/** Returns a name that no file has: the given name or, if it is taken, one such as `photo-2.png` for `photo.png`. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? []
  let number = 2
  while (taken.has(`${stem}-${number}${extension}`)) number += 1
  return `${stem}-${number}${extension}`
}
