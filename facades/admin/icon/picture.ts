import { limits } from '../../../routers/api/rules.ts'

/** A decoded picture. `url` is valid until `release` is called. */
export interface Picture {
  url: string
  image: HTMLImageElement
  release: () => void
}

/** A square area of a picture, in pixels of the picture. */
export interface Square {
  x: number
  y: number
  width: number
  height: number
}

/** Draws a square of a picture at the size of an icon. */
const draw = (image: HTMLImageElement, { x, y, width, height }: Square): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  canvas.width = limits.iconSide
  canvas.height = limits.iconSide
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return canvas
}

/** Decodes a picture of any type that the browser supports.
 * @returns null if the file is not a picture, is damaged, or taints the canvas (SVG with foreign content)
 */
export const readPicture = async (file: File): Promise<Picture | null> => {
  const url = URL.createObjectURL(file)
  const release = () => URL.revokeObjectURL(url)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    const { naturalWidth: width, naturalHeight: height } = image
    if (width === 0 || height === 0) throw new Error('The picture has no size')
    // Reading a pixel throws if the canvas is tainted. Try it now, so that the person sees the error before cropping.
    draw(image, { x: 0, y: 0, width, height }).getContext('2d')!.getImageData(0, 0, 1, 1)
    return { url, image, release }
  } catch {
    release()
    return null
  }
}

/** Returns a square of a picture as the icon API expects it: a PNG in base64. */
export const toIcon = ({ image }: Picture, square: Square): string =>
  draw(image, square)
    .toDataURL('image/png')
    .replace(/^[^,]*,/, '')
