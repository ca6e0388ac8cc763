import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { HISTORY_FAULTS } from '../support/history.ts'
import { testPng } from '../support/png.ts'
import { useQuietService } from '../support/quiet-service.ts'
import { type Mover, signInMover } from '../transfer/support/browser-session.ts'
import { followSpace } from './support/followed-space.ts'
import { KINDS, undos, write } from './support/undo-steps.ts'

const quiet = useQuietService()
let mover: Mover
const icons: string[] = []
beforeAll(async () => {
  mover = await signInMover(quiet.service)
  for (const background of ['#123456', '#654321'])
    icons.push(await testPng({ width: 256, height: 256, background }))
})

describe('restores and undos in any order', () => {
  it.each(KINDS)('leave every %s with exactly the expected content', async kind => {
    const { client } = quiet
    await fc.assert(
      fc.asyncProperty(
        fc.array(write, { minLength: 6, maxLength: 10, size: 'max' }),
        undos,
        async (writes, undos) => {
          const space = await mover.space()
          try {
            const { run, undo } = await followSpace({ client, mover, space, kind, icons })
            for (const step of writes) await run(step)
            for (const step of undos) await ('do' in step ? run(step) : undo(step))
            expect((await client.query(HISTORY_FAULTS)).rows).toEqual([])
          } finally {
            const { owner, subdomain } = space
            await owner.spaces.delete({ subdomain, confirm: subdomain })
          }
        },
      ),
      { numRuns: 8 },
    )
  })
})
