import { Button, FileButton } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type Ref, type RefObject, useRef } from 'react'
import type { CodeEditorProps, CodeLanguage, EditorHandle } from '../editor/code-editor-props.ts'
import type { PictureUploader } from './PictureUploads.tsx'

/**
 * Lets people insert pictures into an editor: with a button, by dropping and by pasting.
 *
 * @returns `props` for the editor; `uploader`, a ref for the component that uploads the pictures; and `choose`, which
 * opens the file picker
 */
export const usePictures = (
  editor: RefObject<Pick<EditorHandle, 'rememberCursor'> | null>,
  language: CodeLanguage,
) => {
  const uploader = useRef<PictureUploader>(null)
  const button = useRef<HTMLButtonElement>(null)
  const onPictures: NonNullable<CodeEditorProps['onPictures']> = (pictures, insert) =>
    uploader.current?.add({
      pictures,
      onStored: ({ url, alt }) => insert(pictureSnippet(url, language, alt)),
    })
  const actions = (
    <InsertPicture
      ref={button}
      onPictures={pictures => {
        if (pictures.length > 0 && editor.current) onPictures(pictures, editor.current.rememberCursor())
      }}
    />
  )
  return { uploader, props: { onPictures, actions }, choose: () => button.current?.click() }
}

/** A button that opens the file picker for pictures. */
export const InsertPicture = ({
  onPictures,
  ref,
}: {
  onPictures: (pictures: File[]) => void
  ref?: Ref<HTMLButtonElement>
}) => (
  <FileButton multiple accept="image/*" onChange={onPictures}>
    {props => (
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPhoto size={16} aria-hidden />}
        ref={ref}
        {...props}
      >
        Insert picture
      </Button>
    )}
  </FileButton>
)

/** Returns the markup that shows a picture, in the language of the text. */
export const pictureSnippet = (url: string, language: CodeLanguage, alt = ''): string =>
  language === 'markdown'
    ? `![${alt.replace(/[\\[\]`*_<&]/g, '\\$&')}](${url})`
    : `<img src="${url}" alt="${alt.replace(/[&"<>]/g, sign => ENTITIES[sign]!)}">`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' }
