/** What a measured server tells when it is up. */
export interface Ready {
  port: number
  key: string
  pageId: string
}

/** Tells the parent that the server is up, answers how much CPU time it has used, and ends with the parent. */
export const report = (ready: Ready, stop: () => Promise<unknown>) => {
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.(user + system)
  })
  process.on('disconnect', () => void stop().then(() => process.exit(0)))
  process.send?.(ready)
}
