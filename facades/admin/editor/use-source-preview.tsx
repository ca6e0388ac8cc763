import { Text } from '@mantine/core'
import type { RefObject } from 'react'
import { InPlaceText } from '../preview/InPlaceText.tsx'
import type { LinkedPage } from '../preview/LinkedPageBar.tsx'
import { MarkOutlines } from '../preview/MarkOutlines.tsx'
import { SelectionBar } from '../preview/SelectionBar.tsx'
import type { PageMarks, PreviewDocument } from '../preview/use-preview.ts'
import { type MarkedPlace, useSelection } from '../preview/use-selection.ts'
import { type TextPlace, useTextEditing } from '../preview/use-text-editing.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import type { EditorHandle } from './code-editor-props.ts'
import { useSourceEditor } from './use-source-editor.ts'

interface SourcePreviewOptions {
  subdomain: string
  what: 'page' | 'part'
  editor: RefObject<EditorHandle | null>
  /** Whether the editor has a body. */
  isHere: (body: PageMarks['bodies'][number]) => boolean
  pages: readonly LinkedPage[] | undefined
  /** Evaluates and shows the draft again. */
  refresh: () => void
  /** Makes the code visible, if the window is narrow. */
  showEditor: () => void
}

/**
 * Connects a preview with the editor of its body: a click selects the source of an element, whose text can be edited in
 * place, and the cursor in the code outlines its element.
 *
 * @returns `props` for the preview; and `onCursor`, to be called when the cursor has moved
 */
export const useSourcePreview = ({
  subdomain,
  what,
  editor,
  isHere,
  pages,
  refresh,
  showEditor,
}: SourcePreviewOptions) => {
  const { source, isSelecting } = useSourceEditor(editor, isHere)
  const selection = useSelection(source)
  const editing = useTextEditing({
    subdomain,
    replace: ({ written = '' }, range, html) => editor.current?.replace(written, range, html) ?? false,
    onRecordSaved: refresh,
  })
  const { edited } = editing
  const { selected } = selection

  /** Opens the text of an element; undefined if it can't be edited in place. */
  const editText = (place: MarkedPlace | null) => {
    const at = place && textOf(place, isHere)
    return at ? () => editing.open(place, at) : undefined
  }

  const selectionBar = (place: MarkedPlace) => (
    <SelectionBar
      subdomain={subdomain}
      document={place.document}
      mark={place.mark}
      isHere={isHere}
      what={what}
      pages={pages ?? []}
      onEditText={editText(place)}
      onEditValue={record => editing.open(place, { record })}
      failure={
        edited ? null : editing.isChanged ? (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            This text has changed in the meantime. Reload the preview.
          </Text>
        ) : (
          <FormFailure error={editing.error} />
        )
      }
      onEditCode={tag => {
        showEditor()
        if (tag) editor.current?.select(place.document.written ?? '', tag)
        editor.current?.focus()
      }}
      onSelect={mark => selection.select(place.document, mark)}
      onClose={selection.close}
    />
  )

  const overlay = (scale: number) => (
    <>
      <MarkOutlines
        {...selection}
        selected={edited ? null : selected}
        onEditText={edited ? undefined : editText(selected)}
      />
      {edited && <InPlaceText edited={edited} editing={editing} scale={scale} />}
    </>
  )

  return {
    props: { selection, selectionBar, overlay },
    onCursor: () => {
      if (!isSelecting.current) selection.followCursor(true)
    },
  }
}

/** Where the text of an element can be edited: in this body, or in a record that has it as it is. */
const textOf = (
  { document, mark }: { document: PreviewDocument; mark: number | null },
  isHere: SourcePreviewOptions['isHere'],
): TextPlace | null => {
  const { bodies, elements } = document.marks!
  const element = mark === null ? undefined : elements[mark]
  if (element?.text && isHere(bodies[element.text.body]!)) return element.text
  const record = element?.values.find(({ isWholeText }) => isWholeText)?.record
  return record ? { record } : null
}
