import { type RefObject, useRef } from 'react'
import type { CodeEditorProps, CodeLanguage, EditorHandle } from '../editor/code-editor-props.ts'
import { InsertPicture } from './InsertPicture.tsx'
import type { PictureUploader } from './PictureUploads.tsx'
import { pictureSnippet } from './picture-snippet.ts'

/**
 * Lets people insert pictures into an editor: with a button, by dropping and by pasting.
 *
 * @returns `props` for the editor; and `uploader`, a ref for the component that uploads the pictures
 */
export const usePictures = (editor: RefObject<EditorHandle | null>, language: CodeLanguage) => {
  const uploader = useRef<PictureUploader>(null)
  const onPictures: NonNullable<CodeEditorProps['onPictures']> = (pictures, insert) =>
    uploader.current?.add({ pictures, onStored: url => insert(pictureSnippet(url, language)) })
  const actions = (
    <InsertPicture
      onPictures={pictures => {
        if (pictures.length > 0 && editor.current) onPictures(pictures, editor.current.rememberCursor())
      }}
    />
  )
  return { uploader, props: { onPictures, actions } }
}
