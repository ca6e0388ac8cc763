import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Bench } from './bench.ts'
import type { Scenario } from './scenarios.ts'

const SECONDS = 5

/** Writes a CPU profile of the service during a scenario. */
export const writeProfile = async (
  { ours, send }: Bench,
  { name, ours: requests, connections = 16 }: Scenario,
  folder: string,
): Promise<void> => {
  await ours.ask('profile')
  await send({ port: ours.port, seconds: SECONDS, connections, requests })
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, `${name.replaceAll(/\W+/g, '-')}.cpuprofile`), await ours.ask('profiled'))
}
