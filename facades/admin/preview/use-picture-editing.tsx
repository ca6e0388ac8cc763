import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { rpc } from '../api.ts'
import { valueAt } from '../data/json.ts'
import { findOpen, type OpenBody } from '../editor/open-bodies.ts'
import type { PictureUploader } from '../pictures/PictureUploads.tsx'
import type { StoredPicture } from '../pictures/stored-picture.ts'
import { ExplainedError } from '../ui/failure.ts'
import { notifyFailure } from '../ui/notify.ts'
import type { SourceRange } from './contents.ts'
import { PicturePicker } from './PicturePicker.tsx'
import { pictureSource, UnquotableName } from './picture-source.ts'
import { ChangedMeanwhile, saveText } from './record-edits.tsx'
import type { PreviewDocument } from './use-preview.ts'
import type { MarkedPlace } from './use-selection.ts'

interface PictureEditingOptions {
  subdomain: string
  bodies: readonly OpenBody[]
  uploader: { current: PictureUploader | null }
  /** Replaces a range of an open body. Throws ChangedMeanwhile if it was edited since the document was evaluated. */
  replace: (document: PreviewDocument, range: SourceRange, source: string) => void
  /** Called after a record was saved, or the content of a file was replaced. */
  onSaved: () => void
}

interface ReadPlace {
  at: MarkedPlace
  /** What the record says there; undefined for a picture that the source names. */
  before: Promise<unknown> | undefined
}

const CHANGED = new ExplainedError('This picture has changed in the meantime', 'Reload the preview.')
const UNQUOTABLE = new ExplainedError(
  'A template can’t name a file with both kinds of quotes',
  'Rename the file first.',
)

/** Replaces pictures of a preview: in the draft of a body, or in a record, which is saved at once. */
export const usePictureEditing = ({
  subdomain,
  bodies,
  uploader,
  replace,
  onSaved,
}: PictureEditingOptions) => {
  const [place, setPlace] = useState<ReadPlace | null>(null)
  const choiceOf = ({ document, mark }: MarkedPlace) =>
    (mark === null ? undefined : document.marks!.elements[mark])?.picture ?? undefined

  /** Whether the picture at a place can be replaced. */
  const canReplace = (at: MarkedPlace): boolean => {
    const choice = choiceOf(at)
    if (!choice) return false
    return choice.record !== null || findOpen(bodies, at.document, choice.source!.body) !== undefined
  }

  /** Reads what is at a place now, because someone else can put another item there until a picture is chosen. */
  const read = (at: MarkedPlace): ReadPlace => {
    const { record } = choiceOf(at)!
    if (!record) return { at, before: undefined }
    const [key, ...path] = record
    const before = rpc.data.get.query({ subdomain, key }).then(({ value }) => valueAt(value, path))
    // Reported once a picture is chosen.
    before.catch(() => undefined)
    return { at, before }
  }

  const choosing = useMutation({
    mutationFn: async ({ place, picture }: { place: ReadPlace; picture: StoredPicture }) => {
      const { at } = place
      const { by, record, source } = choiceOf(at)!
      if (record) {
        const before = await place.before
        if (typeof before !== 'string') throw new ChangedMeanwhile()
        if (before !== picture[by]) return saveText(subdomain, record, before, picture[by], onSaved)
      } else if (source) {
        const open = findOpen(bodies, at.document, source.body)
        if (!open) throw new ChangedMeanwhile()
        const { insert, ...range } = pictureSource(open.text, source, by, picture)
        replace(at.document, { ...source, ...range }, insert)
      }
      // The content of the file can be another.
      onSaved()
    },
    onError: error =>
      notifyFailure(
        error instanceof ChangedMeanwhile ? CHANGED : error instanceof UnquotableName ? UNQUOTABLE : error,
      ),
  })

  const upload = (place: ReadPlace, picture: File) => {
    setPlace(null)
    uploader.current?.add({
      pictures: [picture],
      onStored: stored => choosing.mutate({ place, picture: stored }),
    })
  }

  const dialog = place && (
    <PicturePicker
      subdomain={subdomain}
      isByName={choiceOf(place.at)?.by === 'name'}
      onChoose={picture => {
        setPlace(null)
        choosing.mutate({ place, picture })
      }}
      onUpload={picture => upload(place, picture)}
      onClose={() => setPlace(null)}
    />
  )
  return {
    canReplace,
    open: (at: MarkedPlace) => setPlace(read(at)),
    upload: (at: MarkedPlace, picture: File) => upload(read(at), picture),
    dialog,
  }
}
