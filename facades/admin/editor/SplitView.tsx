import { SegmentedControl, Splitter } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, type Ref, useImperativeHandle, useState } from 'react'
import { flushSync } from 'react-dom'
import classes from './SplitView.module.css'

const FULL_WIDTH = { flexBasis: '100%' }
const HIDDEN = { display: 'none' }

export interface SplitViewHandle {
  /** Opens the tab with the editor, if the window is narrow. */
  showEditor: () => void
}

interface SplitViewProps {
  editor: ReactNode
  preview: ReactNode
  ref?: Ref<SplitViewHandle>
}

/**
 * Editor and preview side by side, or as two tabs in a narrow window. Both stay mounted, so switching tabs loses
 * nothing.
 */
export const SplitView = ({ editor, preview, ref }: SplitViewProps) => {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const [tab, setTab] = useState<'editor' | 'preview'>('editor')
  const [isResizing, setIsResizing] = useState(false)
  // The editor must be visible before it can get the focus.
  useImperativeHandle(ref, () => ({ showEditor: () => flushSync(() => setTab('editor')) }))
  const style = (pane: typeof tab) => (isWide ? {} : tab === pane ? FULL_WIDTH : HIDDEN)
  return (
    <>
      {!isWide && (
        <SegmentedControl
          fullWidth
          mb="xs"
          aria-label="Editor or preview"
          value={tab}
          onChange={setTab}
          data={[
            { value: 'editor', label: 'Editor' },
            { value: 'preview', label: 'Preview' },
          ]}
        />
      )}
      <Splitter
        className={classes.bench}
        mod={{ resizing: isResizing }}
        lineSize={8}
        handleColor="transparent"
        onResizeStart={() => setIsResizing(true)}
        onResizeEnd={() => setIsResizing(false)}
        styles={isWide ? {} : { handle: HIDDEN }}
        attributes={{ handle: { 'aria-label': 'Resize editor' } }}
      >
        <Splitter.Pane defaultSize={50} min={25} className={classes.pane} style={style('editor')}>
          {editor}
        </Splitter.Pane>
        <Splitter.Pane defaultSize={50} min={25} className={classes.pane} style={style('preview')}>
          {preview}
        </Splitter.Pane>
      </Splitter>
    </>
  )
}
