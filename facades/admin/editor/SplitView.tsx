import { SegmentedControl, Splitter } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { EditorView } from './editor-view.ts'
import classes from './SplitView.module.css'

const FULL_WIDTH = { flexBasis: '100%' }
const HIDDEN = { display: 'none' }

interface SplitViewProps {
  editor: ReactNode
  preview: ReactNode
  /** What the second pane shows, if not a preview. */
  previewLabel?: string
  /** With `page`, only the preview is shown, also in a wide window; undefined if that is not offered. */
  view?: EditorView
  onView?: (view: EditorView) => void
}

/** Whether the window has room for an editor beside its preview. */
export const useHasRoom = (): boolean =>
  useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })

/**
 * Editor and preview side by side, or as two tabs in a narrow window. Both stay mounted, so switching tabs loses
 * nothing.
 */
export const SplitView = ({ editor, preview, previewLabel = 'Preview', ...given }: SplitViewProps) => {
  const isWide = useHasRoom()
  const [isResizing, setIsResizing] = useState(false)
  const [tab, setTab] = useState<EditorView>('code')
  const { view = tab, onView = setTab } = given
  const isSplit = isWide && given.view !== 'page'
  const style = (pane: EditorView) => (isSplit ? {} : view === pane ? FULL_WIDTH : HIDDEN)
  return (
    <>
      {!isWide && (
        <SegmentedControl
          fullWidth
          mb="xs"
          aria-label={`Editor or ${previewLabel === 'Preview' ? 'preview' : previewLabel}`}
          value={view}
          onChange={onView}
          data={[
            { value: 'code', label: 'Editor' },
            { value: 'page', label: previewLabel },
          ]}
        />
      )}
      <Splitter
        className={classes.bench}
        mod={{ resizing: isResizing, tall: given.view === 'page' }}
        lineSize={8}
        handleColor="transparent"
        onResizeStart={() => setIsResizing(true)}
        onResizeEnd={() => setIsResizing(false)}
        styles={isSplit ? {} : { handle: HIDDEN }}
        attributes={{ handle: { 'aria-label': 'Resize editor' } }}
      >
        <Splitter.Pane defaultSize={50} min={25} className={classes.pane} style={style('code')}>
          {editor}
        </Splitter.Pane>
        <Splitter.Pane defaultSize={50} min={25} className={classes.pane} style={style('page')}>
          {preview}
        </Splitter.Pane>
      </Splitter>
    </>
  )
}
