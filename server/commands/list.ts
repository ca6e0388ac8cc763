/** What a command does. */
interface Command {
  /** The arguments, as a person writes them. */
  args: string
  /** What the list of commands says about it. */
  purpose: string
  /** Loads the function that runs the command and sets the exit code. It prints `usage` if the arguments are wrong. */
  load: () => Promise<(args: string[], usage: string) => Promise<void>>
}

/** Every command of operators. `./space-site NAME` runs it, and in a checkout `npm run NAME --` as well. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  backup: {
    args: 'FILE',
    purpose: 'Backs up the whole database to a file',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    args: 'FILE [--replace]',
    purpose: 'Restores a backup into an empty database, or replaces its content',
    load: async () => (await import('./restore.ts')).restore,
  },
  doctor: {
    args: '[--json] [--test-restore]',
    purpose: 'Checks the installation, and says how to fix what is wrong',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  config: {
    args: '',
    purpose: 'Prints the settings that apply, without secrets',
    load: async () => (await import('./config.ts')).config,
  },
  'account-link': {
    args: 'HANDLE',
    purpose: 'Prints a link that sets a new password for an account',
    load: async () => (await import('./secrets.ts')).accountLink,
  },
  'demo-key': {
    args: '',
    purpose: 'Prints a new key for the demo space',
    load: async () => (await import('./secrets.ts')).demoKey,
  },
  'files-move': {
    args: 'store|database',
    purpose: 'Moves the bytes of all files to the file store, or back',
    load: async () => (await import('./files.ts')).filesMove,
  },
  'files-check': {
    args: '',
    purpose: 'Reads and verifies every file in the file store',
    load: async () => (await import('./files.ts')).filesCheck,
  },
}
