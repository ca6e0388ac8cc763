import { Session } from 'node:inspector/promises'

/** Starts a CPU profile of this process. @returns a function that ends the profile and returns it as JSON */
export const startProfile = async (): Promise<() => Promise<string>> => {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  return async () => {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    return JSON.stringify(profile)
  }
}
