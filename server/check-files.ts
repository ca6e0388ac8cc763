/** `npm run files:check`: reads every file in the file store and verifies it. The service can be running. */
import { checkFiles } from '../db/file-store/move.ts'
import { passOverFiles } from './files-command.ts'
import { operatorCommand } from './operator-command.ts'

await operatorCommand(
  'npm run files:check',
  { argument: text => text === '' },
  async command => `Intact in the file store: ${await passOverFiles(command, 'checking', checkFiles)}.`,
)
