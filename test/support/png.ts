import sharp from 'sharp'

/** Returns a PNG of one color in base64. */
export const testPng = async ({
  width,
  height,
  background = '#2f7d4f',
}: {
  width: number
  height: number
  background?: string
}): Promise<string> => {
  const image = sharp({ create: { width, height, channels: 4, background } })
  return (await image.png().toBuffer()).toString('base64')
}
