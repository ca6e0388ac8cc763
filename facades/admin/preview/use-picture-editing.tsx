import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { rpc } from '../api.ts'
import { valueAt } from '../data/json.ts'
import { findOpen, type OpenBody } from '../editor/open-bodies.ts'
import type { PictureUploader } from '../pictures/PictureUploads.tsx'
import type { StoredPicture } from '../pictures/stored-picture.ts'
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

const CHANGED = new Error('This picture has changed in the meantime. Reload the preview.')
const UNQUOTABLE = new Error('A template can’t name a file with both kinds of quotes. Rename it first.')

/** Replaces pictures of a preview: in the draft of a body, or in a record, which is saved at once. */
export const usePictureEditing = ({
  subdomain,
  bodies,
  uploader,
  replace,
  onSaved,
}: PictureEditingOptions) => {
  const [place, setPlace] = useState<MarkedPlace | null>(null)
  const choiceOf = ({ document, mark }: MarkedPlace) =>
    (mark === null ? undefined : document.marks!.elements[mark])?.picture ?? undefined

  /** Whether the picture at a place can be replaced. */
  const canReplace = (at: MarkedPlace): boolean => {
    const choice = choiceOf(at)
    if (!choice) return false
    return choice.record !== null || findOpen(bodies, at.document, choice.source!.body) !== undefined
  }

  const choosing = useMutation({
    mutationFn: async ({ at, picture }: { at: MarkedPlace; picture: StoredPicture }) => {
      const { by, record, source } = choiceOf(at)!
      if (record) {
        const [key, ...path] = record
        const { value } = await rpc.data.get.query({ subdomain, key })
        const before = valueAt(value, path)
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

  const upload = (at: MarkedPlace, picture: File) => {
    setPlace(null)
    uploader.current?.add({
      pictures: [picture],
      onStored: stored => choosing.mutate({ at, picture: stored }),
    })
  }

  const dialog = place && (
    <PicturePicker
      subdomain={subdomain}
      isByName={choiceOf(place)?.by === 'name'}
      onChoose={picture => {
        setPlace(null)
        choosing.mutate({ at: place, picture })
      }}
      onUpload={picture => upload(place, picture)}
      onClose={() => setPlace(null)}
    />
  )
  return { canReplace, open: setPlace, upload, dialog }
}
