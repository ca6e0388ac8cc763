import { SegmentedControl, Splitter } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import classes from './Workbench.module.css'

const LONE = { flexBasis: '100%' }
const AWAY = { display: 'none' }

/**
 * An editor beside what comes of it; where there is no room for both, one after the other. Both stay alive either way,
 * so that nothing is lost by looking at the other.
 */
export const Workbench = ({ editor, preview }: { editor: ReactNode; preview: ReactNode }) => {
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const [tab, setTab] = useState<'editor' | 'preview'>('editor')
  const [isResizing, setIsResizing] = useState(false)
  const style = (pane: typeof tab) => (isWide ? {} : tab === pane ? LONE : AWAY)
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
        styles={isWide ? {} : { handle: AWAY }}
        attributes={{ handle: { 'aria-label': 'Share of the editor' } }}
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
