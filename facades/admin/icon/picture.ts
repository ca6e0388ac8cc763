import { limits } from '../../../routers/core/rules.ts'

/** A picture that the browser has read. Its address lives until `forget` is called. */
export interface Picture {
  url: string
  image: HTMLImageElement
  forget: () => void
}

/** A part of a picture, in its own pixels. */
export interface Square {
  x: number
  y: number
  width: number
  height: number
}

/** Draws a square of a picture in the size of an icon. */
const draw = (image: HTMLImageElement, { x, y, width, height }: Square): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  canvas.width = limits.iconSide
  canvas.height = limits.iconSide
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return canvas
}

/**
 * Reads a picture of any type that the browser knows.
 *
 * @returns null for what is none, is damaged, or may not be drawn (vector images that bring foreign content along)
 */
export const readPicture = async (file: File): Promise<Picture | null> => {
  const url = URL.createObjectURL(file)
  const forget = () => URL.revokeObjectURL(url)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    if (width === 0 || height === 0) throw new Error('The picture has no size')
    // Tells now and not when it is too late whether what is drawn of it can be read again.
    draw(image, { x: 0, y: 0, width, height }).getContext('2d')!.getImageData(0, 0, 1, 1)
    return { url, image, forget }
  } catch {
    forget()
    return null
  }
}

/** A square of a picture as the service takes icons: a PNG, in base64. */
export const iconOf = ({ image }: Picture, square: Square): string =>
  draw(image, square)
    .toDataURL('image/png')
    .replace(/^[^,]*,/, '')
