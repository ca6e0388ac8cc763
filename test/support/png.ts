import sharp from 'sharp'

/** Returns a PNG of one colour in base64. */
export const testPng = async ({ width, height }: { width: number; height: number }): Promise<string> => {
  const image = sharp({ create: { width, height, channels: 4, background: '#2f7d4f' } })
  return (await image.png().toBuffer()).toString('base64')
}
