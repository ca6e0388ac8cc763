import { type Fault, faultsOf } from './routing.ts'

/** A statement that Citus could not send to a single server, and the reason why the tests accept this. */
interface Exception {
  /** Matches the statement, with single spaces between words. */
  statement: RegExp
  faults: readonly Fault[]
  reason: string
}

export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  // Each of these reads the content of one space, together with a few rows of the directory.
  'handles of uploaders': {
    statement: /left join "accounts" as "uploader"/,
    faults: ['join'],
    reason: 'Another statement would make every read of files slower on one server.',
  },
  'handle of the uploading account': {
    statement: /^select count\(\*\)::int as "count", .* \(select "handle" from "accounts"/,
    faults: ['join'],
    reason: 'Another statement would make every upload slower on one server.',
  },
  'picture in the history': {
    statement: /union all select png, null, octet_length\(png\) from icons/,
    faults: ['join'],
    reason: 'Only the dashboard: a current icon is not in the content yet.',
  },

  // These read the content of several spaces.
  'search for spaces': {
    statement: /^select space\.id, change\.at from spaces as space cross join lateral /,
    faults: ['spaces'],
    reason: 'Only the dashboard: reads the last change that the account made in each of its spaces.',
  },
  'revisions of watched spaces': {
    statement: /^select id, revision from spaces where id = any\(/,
    faults: ['spaces'],
    reason: 'Background: once a second while someone watches, and an open dashboard reads its own spaces.',
  },
  'uploads of an account': {
    statement: /\(select count\(\*\)::int from files where uploaded_by_id = /,
    faults: ['spaces', 'join'],
    reason: 'Rare: shown before an account is deleted.',
  },
  'content that the directory does not have': {
    statement: /^select "id" from "spaces" where "id" > /,
    faults: ['spaces'],
    reason: 'Background: every space is checked.',
  },
  'use of the file store': {
    statement: /^select exists \(select 1 from blobs where object is not null\)/,
    faults: ['spaces'],
    reason: 'Once at the start.',
  },
  'bytes to move to or from the file store': {
    statement: /from blobs where \(space_id, digest\) > /,
    faults: ['spaces'],
    reason: 'A command of the operator: moves the files of all spaces.',
  },
  'objects that are no longer needed': {
    statement:
      /\bunused_objects\b.* state (= 'deleting'|<> 'deleting'|= 'staged' and \(space_id, digest, object\) in)/,
    faults: ['spaces'],
    reason: 'Background, and after failed uploads: objects of all spaces are deleted together.',
  },
}

const normalized = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const isAllowed = (text: string, fault: Fault): boolean =>
  Object.values(EXCEPTIONS).some(({ statement, faults }) => faults.includes(fault) && statement.test(text))

/** Whether an entry of `EXCEPTIONS` matches a statement and lists exactly the faults that the statement has. */
export const applies = (
  { statement, faults }: Exception,
  text: string,
  parameters: readonly unknown[],
): boolean =>
  statement.test(normalized(text)) &&
  [...new Set(faultsOf(text, parameters).map(({ fault }) => fault))].toSorted().join() ===
    faults.toSorted().join()

/** Returns a description of each fault of a statement, unless an exception allows the fault. */
export const unexpectedFaults = (text: string, parameters: readonly unknown[]): string[] =>
  faultsOf(text, parameters)
    .filter(({ fault }) => !isAllowed(normalized(text), fault))
    .map(({ detail }) => detail)
