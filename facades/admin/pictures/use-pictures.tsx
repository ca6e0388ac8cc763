import { Button, FileButton } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type RefObject, useRef } from 'react'
import type { CodeEditorProps, CodeLanguage, EditorHandle } from '../editor/code-editor-props.ts'
import type { PictureUploader } from './PictureUploads.tsx'

/**
 * Lets people insert pictures into an editor: with a button, by dropping and by pasting.
 *
 * @returns `props` for the editor; and `uploader`, a ref for the component that uploads the pictures
 */
export const usePictures = (editor: RefObject<EditorHandle | null>, language: CodeLanguage) => {
  const uploader = useRef<PictureUploader>(null)
  const onPictures: NonNullable<CodeEditorProps['onPictures']> = (pictures, insert) =>
    uploader.current?.add({ pictures, onStored: ({ url }) => insert(pictureSnippet(url, language)) })
  const actions = (
    <InsertPicture
      onPictures={pictures => {
        if (pictures.length > 0 && editor.current) onPictures(pictures, editor.current.rememberCursor())
      }}
    />
  )
  return { uploader, props: { onPictures, actions } }
}

/** A button that opens the file picker for pictures. */
export const InsertPicture = ({ onPictures }: { onPictures: (pictures: File[]) => void }) => (
  <FileButton multiple accept="image/*" onChange={onPictures}>
    {props => (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPhoto size={16} aria-hidden />}
        {...props}
      >
        Insert picture
      </Button>
    )}
  </FileButton>
)

/** Returns the markup that shows a picture, in the language of the text. */
export const pictureSnippet = (url: string, language: CodeLanguage): string =>
  language === 'markdown' ? `![](${url})` : `<img src="${url}" alt="">`
