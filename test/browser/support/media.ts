/** Generates pictures, fonts, sounds and videos that a browser accepts. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** Returns a PNG of one color. */
export const picture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#2f7d4f' } })
    .png()
    .toBuffer()

/** Returns a TrueType font: the icon font that playwright-core includes. */
export const font = (): Buffer => {
  const driver = fileURLToPath(new URL('.', import.meta.resolve('playwright-core')))
  const [path] = globSync(`${driver}lib/**/codicon*.ttf`)
  if (!path) throw new Error(`no font below ${driver}`)
  return readFileSync(path)
}

/** Returns silence as a WAV file, with 176,400 bytes per second. */
export const sound = (seconds: number): Buffer => {
  const [rate, frame] = [44_100, 4]
  const size = seconds * rate * frame
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + size, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(2, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * frame, 28)
  head.writeUInt16LE(frame, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(size, 40)
  return Buffer.concat([head, Buffer.alloc(size)])
}

/** Records a video of random noise in the browser, in real time. Returns a few megabytes. */
export const video = async (page: Page, seconds: number): Promise<Buffer> =>
  Buffer.from(String(await page.evaluate(`(${RECORD})(${seconds})`)), 'base64')

/** A script that runs in the browser and records the video. */
const RECORD = `async duration => {
  const canvas = document.createElement('canvas')
  canvas.width = 320
  canvas.height = 240
  const drawing = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(25), {
    mimeType: 'video/mp4;codecs=vp9',
    videoBitsPerSecond: 8000000,
  })
  const parts = []
  recorder.ondataavailable = event => parts.push(event.data)
  const image = new ImageData(canvas.width, canvas.height)
  recorder.start()
  // Count at most 100 ms per picture: while the machine pauses, nothing is recorded.
  for (let recorded = 0, last = performance.now(); recorded < duration * 1000; ) {
    const now = performance.now()
    recorded += Math.min(now - last, 100)
    last = now
    crypto.getRandomValues(new Uint8Array(image.data.buffer, 0, 65536))
    image.data.copyWithin(65536, 0)
    for (let index = 3; index < image.data.length; index += 4) image.data[index] = 255
    drawing.putImageData(image, 0, 0)
    await new Promise(resolve => setTimeout(resolve, 30))
  }
  await new Promise(resolve => {
    recorder.onstop = resolve
    recorder.stop()
  })
  const reader = new FileReader()
  await new Promise(resolve => {
    reader.onload = resolve
    reader.readAsDataURL(new Blob(parts))
  })
  return reader.result.split(',')[1]
}`
