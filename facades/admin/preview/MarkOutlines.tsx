import classes from './MarkOutlines.module.css'
import { droppedPicture } from './PicturePicker.tsx'
import type { MarkedPlace } from './use-selection.ts'

interface MarkOutlinesProps {
  pointed: MarkedPlace | null
  selected: MarkedPlace | null
  atCursor: MarkedPlace | null
  /** What a second click on the selected element does; undefined if it can't be edited in place. */
  edit: { title: string; open: () => void } | undefined
  /** Called with a picture that is dropped on the selected element; undefined if it is no picture. */
  onPicture: ((picture: File) => void) | undefined
}

/** Outlines places in the draft. The dashboard draws them over the frame, because the draft must not know them. */
export const MarkOutlines = ({ pointed, selected, atCursor, edit, onPicture }: MarkOutlinesProps) => (
  <div className={classes.outlines} aria-hidden>
    <Outline kind="cursor" place={atCursor} />
    <Outline kind="selected" place={selected} />
    {pointed?.mark !== selected?.mark && <Outline kind="pointed" place={pointed} />}
    {edit && selected?.rect && (
      // For the keyboard, there is a button above the preview.
      <button
        type="button"
        tabIndex={-1}
        title={edit.title}
        className={classes.over}
        style={selected.rect}
        onClick={edit.open}
        onDragOver={event => onPicture && event.preventDefault()}
        onDrop={event => {
          const picture = droppedPicture(event.dataTransfer)
          if (!onPicture || !picture) return
          event.preventDefault()
          onPicture(picture)
        }}
      />
    )}
  </div>
)

const Outline = ({ kind, place }: { kind: string; place: MarkedPlace | null }) => {
  if (!place?.rect) return null
  const { document, mark, rect } = place
  const { left, top, width, height } = rect
  const name = mark === null ? 'made by a script' : document.marks?.elements[mark]?.name
  return (
    <div className={classes.outline} data-kind={kind} style={{ left, top, width, height }}>
      <span className={classes.name} data-below={top < 20 || undefined}>
        {name}
      </span>
    </div>
  )
}
