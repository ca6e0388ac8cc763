import { Button, FileButton } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'

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
