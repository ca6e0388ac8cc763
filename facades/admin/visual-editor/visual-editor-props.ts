import type { Ref } from 'react'
import type { CodeEditorProps, EditorHandle } from '../editor/code-editor-props.ts'

/** What a parent component can do with the visual editor. */
export type VisualHandle = Pick<EditorHandle, 'focus' | 'rememberCursor'>

export interface VisualEditorProps extends Pick<CodeEditorProps, 'onPictures' | 'onLoad' | 'onSave'> {
  /** Accessible name. */
  label: string
  /** Markdown. */
  value: string
  onChange: (value: string) => void
  /** Opens the file picker for pictures. */
  choosePictures: () => void
  ref: Ref<VisualHandle>
}
