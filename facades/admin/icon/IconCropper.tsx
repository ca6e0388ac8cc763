import 'react-easy-crop/react-easy-crop.css'
import { Button, Group, Modal, Slider, Stack, Text } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { IconPhotoMinus, IconPhotoPlus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import { limits } from '../../../routers/api/rules.ts'
import { DialogActions } from '../ui/Confirm.tsx'
import { FormFailure } from '../ui/FormFailure.tsx'
import classes from './IconCropper.module.css'
import { type Picture, type Square, toIcon } from './picture.ts'

/** Maximum zoom, relative to the size that just fills the square. */
const MAX_ZOOM = 5
/** How far an arrow key moves the picture, in CSS pixels. */
const KEYBOARD_STEP = 8

interface IconCropperProps {
  picture: Picture
  shape: 'square' | 'round'
  /** Stores the PNG, given in base64. If it throws, the dialog stays open and shows the error. */
  onSave: (png: string) => Promise<unknown>
  onSaved: () => void
  onCancel: () => void
}

/** Dialog for cropping a picture to the square that becomes the icon. */
export const IconCropper = ({ picture, shape, onSave, onSaved, onCancel }: IconCropperProps) => {
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [square, setSquare] = useState<Square | null>(null)
  const help = useId()
  const save = useMutation({
    mutationFn: async (square: Square) => onSave(toIcon(picture, square)),
    onSuccess: onSaved,
  })
  const cancel = () => {
    if (!save.isPending) onCancel()
  }
  const isBlurred = square !== null && square.width < limits.iconSide / 2
  return (
    <Modal opened onClose={cancel} title="Crop picture" centered>
      <Stack>
        <div className={classes.frame}>
          <Cropper
            image={picture.url}
            crop={crop}
            zoom={zoom}
            maxZoom={MAX_ZOOM}
            aspect={1}
            objectFit="cover"
            cropShape={shape === 'round' ? 'round' : 'rect'}
            showGrid={false}
            keyboardStep={KEYBOARD_STEP}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropAreaChange={(_, pixels) => setSquare(pixels)}
            disableAutomaticStylesInjection
            cropperProps={{
              role: 'application',
              'aria-label': 'Picture',
              'aria-roledescription': 'movable picture',
              'aria-describedby': help,
            }}
          />
        </div>
        <Text id={help} size="sm" c="dimmed" ta="center">
          Drag the picture, or move it with the arrow keys.
        </Text>
        <Group wrap="nowrap" gap="sm">
          <IconPhotoMinus size={18} aria-hidden />
          <Slider
            flex={1}
            min={1}
            max={MAX_ZOOM}
            step={0.05}
            value={zoom}
            onChange={setZoom}
            label={null}
            thumbSize={24}
            thumbLabel="Zoom"
            thumbValueText={value => `${Math.round(value * 100)} %`}
          />
          <IconPhotoPlus size={18} aria-hidden />
        </Group>
        <Text size="sm" role="status">
          {isBlurred && 'The icon will look blurred. Zoom out or choose a larger picture.'}
        </Text>
        <FormFailure error={save.error} />
        <DialogActions onCancel={cancel}>
          <Button
            onClick={() => square && save.mutate(square)}
            loading={save.isPending}
            disabled={square === null}
          >
            Save icon
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  )
}
