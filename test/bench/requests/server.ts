/** The message of a measured server once it is up. */
export interface Ready {
  port: number
  key: string
  pageId: string
}

/** Reports that the server is up, replies to every message with its CPU time in µs, and exits with the parent. */
export const report = (ready: Ready, stop: () => Promise<unknown>) => {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.on('disconnect', () => void stop().then(() => process.exit(0)))
  process.send?.(ready)
}
