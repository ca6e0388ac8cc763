import type { RenderRequest } from '../../core/renderer.ts'

/** Reads spaces, each revision only once however many readers wait for it at the moment. */
export class SnapshotReader {
  private readonly reading = new Map<string, Promise<string>>()

  /** The space of `request` as JSON text. Rejects with what its `snapshot` rejects with. */
  async read(request: RenderRequest): Promise<string> {
    const key = JSON.stringify([request.space, request.revision])
    const underWay = this.reading.get(key)
    if (underWay) return underWay
    const reading = readText(request)
    this.reading.set(key, reading)
    try {
      return await reading
    } finally {
      this.reading.delete(key)
    }
  }
}

async function readText(request: RenderRequest): Promise<string> {
  const snapshot = await request.snapshot()
  return typeof snapshot === 'string' ? snapshot : JSON.stringify(snapshot)
}
