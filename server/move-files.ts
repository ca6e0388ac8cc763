/**
 * `npm run files:move -- store` and `npm run files:move -- database`: moves the bytes of all files into the file store, or
 * back into the database, and verifies them. The service can be running.
 */
import { moveFiles } from '../db/file-store/move.ts'
import type { Place } from '../db/queries/moved-bytes.ts'
import { passOverFiles } from './files-command.ts'
import { operatorCommand } from './operator-command.ts'

const isPlace = (text: string): text is Place => text === 'store' || text === 'database'

await operatorCommand(
  'npm run files:move -- store, or npm run files:move -- database',
  { argument: isPlace },
  async command => {
    const to = command.argument as Place
    const result = await passOverFiles(command, 'moving', (orm, store, options) =>
      moveFiles(orm, store, to, options),
    )
    return `Moved to the ${to === 'store' ? 'file store' : 'database'}: ${result}.`
  },
)
