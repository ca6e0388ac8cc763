import { type Exception, STATELESS } from './conformance-exception.ts'

const TASKS = 'It needs the extension for long-running work, which this service does not offer.'

/** The exceptions for scenarios that test the extension for long-running work. */
export const tasksExceptions: readonly Exception[] = [
  {
    scenario: 'tasks-capability-negotiation',
    revisions: STATELESS,
    checks: [
      'sep-2663-server-rejects-undeclared-client',
      'sep-2663-tasks-methods-non-declaring',
      'tasks-extension-advertised',
      'tasks-per-request-meta-opt-in',
    ],
    because: TASKS,
  },
  {
    scenario: 'tasks-dispatch-and-envelope',
    revisions: STATELESS,
    checks: [
      'sep-2663-durable-create-strong-consistency',
      'sep-2663-legacy-task-param-ignored',
      'sep-2663-tasks-get-invalid-task-id-32602',
      'tasks-immediate-result-shortcut',
      'tasks-result-type-complete-on-non-task-responses',
      'tasks-server-directed-creation-no-hint',
    ],
    because: TASKS,
  },
  {
    scenario: 'tasks-lifecycle',
    revisions: STATELESS,
    checks: [
      'sep-2663-cancel-ack-empty-result',
      'sep-2663-result-type-task-on-create',
      'sep-2663-tasks-get-status-completed',
      'sep-2663-tasks-get-status-failed',
      'sep-2663-tasks-get-status-working',
      'sep-2663-tool-error-uses-completed-status',
      'tasks-cancel-terminal-idempotent-ack',
      'tasks-sync-tool-call',
    ],
    because: TASKS,
  },
  {
    scenario: 'tasks-mrtr-composition',
    revisions: STATELESS,
    checks: ['sep-2663-mrtr-synchronous-before-task-creation'],
    because: TASKS,
  },
  {
    scenario: 'tasks-mrtr-input',
    revisions: STATELESS,
    checks: [
      'sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-partial-fulfillment',
      'tasks-mrtr-tasks-update-resumes',
    ],
    because: TASKS,
  },
  {
    scenario: 'tasks-request-headers',
    revisions: STATELESS,
    checks: [
      'sep-2663-routing-headers-accepted-on-tasks-get',
      'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-headers-tolerate-mcp-method-on-tools-call',
    ],
    because: TASKS,
  },
  {
    scenario: 'tasks-request-state-removal',
    revisions: STATELESS,
    checks: ['tasks-request-state-removal-setup'],
    because: TASKS,
  },
  {
    scenario: 'tasks-required-task-error',
    revisions: STATELESS,
    checks: ['sep-2663-server-returns-missing-capability-when-required'],
    because: TASKS,
  },
  {
    scenario: 'tasks-status-notifications',
    revisions: STATELESS,
    status: 'SKIPPED',
    checks: ['tasks-status-notifications'],
    because: 'The suite itself cannot check it yet.',
  },
  {
    scenario: 'tasks-wire-fields',
    revisions: STATELESS,
    checks: [
      'tasks-no-early-ttl-expiry',
      'tasks-no-related-task-meta-on-inlined-result',
      'tasks-wire-field-renames',
    ],
    because: TASKS,
  },
]
