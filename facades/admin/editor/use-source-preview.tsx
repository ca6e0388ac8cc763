import { Button, Text } from '@mantine/core'
import type { PictureUploader } from '../pictures/PictureUploads.tsx'
import { onlyText, type SourceRange } from '../preview/contents.ts'
import { InPlaceText } from '../preview/InPlaceText.tsx'
import type { LinkedPage } from '../preview/LinkedPageBar.tsx'
import { ListActions } from '../preview/ListActions.tsx'
import { indexAfter, type ListEdit, listItemOf } from '../preview/list-edits.ts'
import { MarkOutlines } from '../preview/MarkOutlines.tsx'
import { ChangedMeanwhile } from '../preview/record-edits.tsx'
import type { RecordPath } from '../preview/record-text.ts'
import { SelectionBar } from '../preview/SelectionBar.tsx'
import { usePictureEditing } from '../preview/use-picture-editing.tsx'
import type { PreviewDocument } from '../preview/use-preview.ts'
import { type MarkedPlace, useSelection } from '../preview/use-selection.ts'
import { useTextEditing } from '../preview/use-text-editing.ts'
import { FormFailure } from '../ui/FormFailure.tsx'
import { findOpen, type OpenBody } from './open-bodies.ts'
import { type SourceOpener, useSourceEditor } from './use-source-editor.ts'

interface SourcePreviewOptions {
  subdomain: string
  what: 'page' | 'part'
  bodies: readonly OpenBody[]
  pages: readonly LinkedPage[] | undefined
  uploader: { current: PictureUploader | null }
  /** Evaluates and shows the draft again. */
  refresh: () => void
  /** Makes the code visible. */
  showCode: () => void
  opener: SourceOpener
}

/** The first place in a record that a value in an element comes from. */
const recordIn = ({ document, mark }: MarkedPlace): RecordPath | undefined => {
  const { contents = [], picture } = (mark === null ? undefined : document.marks!.elements[mark]) ?? {}
  return contents.find(({ record }) => record && listItemOf(record))?.record ?? picture?.record ?? undefined
}

/**
 * Connects a preview with the editors of its bodies: a click selects the source of an element, whose text, picture or list
 * can be edited in place, and the cursor in the code outlines its element.
 *
 * @returns `props` for the preview; `dialog`, to be rendered; and `onCursor`, to be called when the cursor has moved
 */
export const useSourcePreview = ({
  subdomain,
  what,
  bodies,
  pages,
  uploader,
  refresh,
  showCode,
  opener,
}: SourcePreviewOptions) => {
  const { source, isSelecting } = useSourceEditor(bodies, opener)
  const selection = useSelection(source)
  const replace = (document: PreviewDocument, range: SourceRange, insert: string) => {
    const open = findOpen(bodies, document, range.body)
    if (!open?.editor.current?.replace(open.text, range, insert)) throw new ChangedMeanwhile()
  }
  const editing = useTextEditing({ subdomain, bodies, replace, onRecordSaved: refresh })
  const pictures = usePictureEditing({ subdomain, bodies, uploader, replace, onSaved: refresh })
  const { edited } = editing
  const { selected } = selection

  /** What the second click on an element does; undefined if it can't be edited as a whole. */
  const editOf = (place: MarkedPlace) => {
    if (pictures.canReplace(place)) return { title: 'Replace picture', open: () => pictures.open(place) }
    const element = place.mark === null ? undefined : place.document.marks!.elements[place.mark]
    const at = element && onlyText(element, place.document, bodies)
    return at && { title: 'Edit text', open: () => editing.open(place, at) }
  }

  const selectionBar = (place: MarkedPlace) => {
    const edit = editOf(place)
    const record = recordIn(place)
    const failure = editing.failureAt(place)
    const item = record && listItemOf(record)
    const onListEdited = (listEdit: ListEdit) => {
      if (!record || !item) return
      const moved = record.with(item.list.length, indexAfter(listEdit, item.index)) as RecordPath
      selection.follow(place, moved)
      refresh()
    }
    return (
      <SelectionBar
        subdomain={subdomain}
        document={place.document}
        mark={place.mark}
        bodies={bodies}
        what={what}
        pages={pages ?? []}
        isEditing={edited !== null}
        onEdit={at => editing.open(place, at)}
        failure={
          failure instanceof ChangedMeanwhile ? (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              This text has changed in the meantime. Reload the preview.
            </Text>
          ) : (
            <FormFailure error={failure} />
          )
        }
        onEditCode={(open, range) => {
          showCode()
          opener.show(open)
          open.editor.current?.select(open.text, range)
          open.editor.current?.focus()
        }}
        onSelect={mark => selection.select(place.document, mark)}
        onClose={selection.close}
      >
        {item && (
          <ListActions subdomain={subdomain} document={place.document} item={item} onEdited={onListEdited} />
        )}
        {edit && (
          <Button size="compact-sm" disabled={edited !== null} onClick={edit.open}>
            {edit.title}
          </Button>
        )}
      </SelectionBar>
    )
  }

  const overlay = (scale: number) => (
    <>
      <MarkOutlines
        {...selection}
        selected={edited ? null : selected}
        edit={edited || !selected ? undefined : editOf(selected)}
        onPicture={
          selected && pictures.canReplace(selected) ? file => pictures.upload(selected, file) : undefined
        }
      />
      {edited && <InPlaceText edited={edited} editing={editing} scale={scale} />}
    </>
  )

  return {
    props: { selection, selectionBar, overlay },
    dialog: pictures.dialog,
    onCursor: () => {
      if (!isSelecting.current) selection.followCursor(true)
    },
  }
}
