/**
 * What the official test suite reports although nothing is wrong: its scenarios need tools, prompts or resources of
 * their own, or features that are optional.
 */
interface Exception {
  /** The name of the scenario. */
  scenario: string
  /** The names of its checks that fail or warn. */
  checks: readonly string[]
  because: string
  /** Only servers without resources and prompts are excepted. */
  isWithoutContent?: true
}

/** Every exception, by the exact names of the scenario and its checks. */
const exceptions: readonly Exception[] = [
  {
    scenario: 'caching',
    checks: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
    because: 'The checks are of lists that this server does not offer.',
    isWithoutContent: true,
  },
  {
    scenario: 'completion-complete',
    checks: ['completion-complete'],
    because: 'Completion is not offered.',
  },
  {
    scenario: 'elicitation-sep1034-defaults',
    checks: ['elicitation-sep1034-general'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'elicitation-sep1330-enums',
    checks: ['elicitation-sep1330-general'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'http-custom-header-server-validation',
    checks: [
      'sep-2243-server-decode-base64',
      'sep-2243-server-no-xmcp-tool',
      'sep-2243-server-reject-invalid-param-chars',
      'sep-2243-server-reject-param-mismatch',
      'sep-2243-server-validate-param-match',
    ],
    because: 'It looks for a tool that requires an argument repeated in a header; ours do not.',
  },
  {
    scenario: 'input-required-result-basic-elicitation',
    checks: ['sep-2322-elicitation-incomplete'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-basic-list-roots',
    checks: ['sep-2322-list-roots-incomplete'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-basic-sampling',
    checks: ['sep-2322-sampling-incomplete'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-capability-check',
    checks: ['sep-2322-respect-client-capabilities'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-ignore-extra-params',
    checks: ['sep-2322-ignore-unexpected-params'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-missing-input-response',
    checks: ['sep-2322-missing-response-rerequests'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-multi-round',
    checks: ['sep-2322-multi-round-r1'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-multiple-input-requests',
    checks: ['sep-2322-multiple-inputs-incomplete'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-non-tool-request',
    checks: ['sep-2322-non-tool-incomplete'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-request-state',
    checks: ['sep-2322-request-state-incomplete'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-result-type',
    checks: ['sep-2322-result-type-included'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'input-required-result-tampered-state',
    checks: ['sep-2322-reject-tampered-state'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'json-schema-2020-12',
    checks: ['json-schema-2020-12-tool-found'],
    because: 'It looks for a tool written for the suite whose schema has definitions; ours have none.',
  },
  {
    scenario: 'logging-set-level',
    checks: ['logging-set-level'],
    because: 'Nothing is logged to clients.',
  },
  {
    scenario: 'prompts-get-embedded-resource',
    checks: ['prompts-get-embedded-resource'],
    because: 'It uses prompts written for the suite.',
  },
  {
    scenario: 'prompts-get-simple',
    checks: ['prompts-get-simple'],
    because: 'It uses prompts written for the suite.',
  },
  {
    scenario: 'prompts-get-with-args',
    checks: ['prompts-get-with-args'],
    because: 'It uses prompts written for the suite.',
  },
  {
    scenario: 'prompts-get-with-image',
    checks: ['prompts-get-with-image'],
    because: 'It uses prompts written for the suite.',
  },
  {
    scenario: 'prompts-list',
    checks: ['prompts-list'],
    because: 'There are no prompts.',
    isWithoutContent: true,
  },
  {
    scenario: 'resources-list',
    checks: ['resources-list'],
    because: 'There are no resources.',
    isWithoutContent: true,
  },
  {
    scenario: 'resources-read-binary',
    checks: ['resources-read-binary'],
    because: 'It uses resources written for the suite.',
  },
  {
    scenario: 'resources-read-text',
    checks: ['resources-read-text'],
    because: 'It uses resources written for the suite.',
  },
  {
    scenario: 'resources-subscribe',
    checks: ['resources-subscribe'],
    because: 'Resources never change, so there are no subscriptions.',
  },
  {
    scenario: 'resources-templates-read',
    checks: ['resources-templates-read'],
    because: 'It uses resources written for the suite.',
  },
  {
    scenario: 'resources-unsubscribe',
    checks: ['resources-unsubscribe'],
    because: 'Resources never change, so there are no subscriptions.',
  },
  {
    scenario: 'sep-2164-resource-not-found',
    checks: ['sep-2164-data-uri', 'sep-2164-error-code'],
    because: 'There are no resources, so the method does not exist.',
    isWithoutContent: true,
  },
  {
    scenario: 'server-sse-multiple-streams',
    checks: ['server-sse-multiple-streams-session'],
    because: 'A warning that there is no session; the server keeps none.',
  },
  {
    scenario: 'server-sse-polling',
    checks: ['server-sse-polling-session'],
    because: 'A warning that there is no session; the server keeps none.',
  },
  {
    scenario: 'server-stateless',
    checks: [
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
    ],
    because:
      'The checks call tools written for the suite that need a client capability, stream or log; ours do not.',
  },
  {
    scenario: 'tasks-capability-negotiation',
    checks: [
      'sep-2663-server-rejects-undeclared-client',
      'sep-2663-tasks-methods-non-declaring',
      'tasks-extension-advertised',
      'tasks-per-request-meta-opt-in',
    ],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-dispatch-and-envelope',
    checks: [
      'sep-2663-durable-create-strong-consistency',
      'sep-2663-legacy-task-param-ignored',
      'sep-2663-tasks-get-invalid-task-id-32602',
      'tasks-immediate-result-shortcut',
      'tasks-result-type-complete-on-non-task-responses',
      'tasks-server-directed-creation-no-hint',
    ],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-lifecycle',
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
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-mrtr-composition',
    checks: ['sep-2663-mrtr-synchronous-before-task-creation'],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-mrtr-input',
    checks: [
      'sep-2663-tasks-get-status-input-required',
      'tasks-mrtr-partial-fulfillment',
      'tasks-mrtr-tasks-update-resumes',
    ],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-request-headers',
    checks: [
      'sep-2663-routing-headers-accepted-on-tasks-get',
      'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      'tasks-headers-tolerate-mcp-method-on-tools-call',
    ],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-request-state-removal',
    checks: ['tasks-request-state-removal-setup'],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-required-task-error',
    checks: ['sep-2663-server-returns-missing-capability-when-required'],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tasks-wire-fields',
    checks: [
      'tasks-no-early-ttl-expiry',
      'tasks-no-related-task-meta-on-inlined-result',
      'tasks-wire-field-renames',
    ],
    because: 'An extension for long-running work, which is not offered.',
  },
  {
    scenario: 'tools-call-audio',
    checks: ['tools-call-audio'],
    because: 'It calls a tool written for the suite; ours return text and structured content only.',
  },
  {
    scenario: 'tools-call-elicitation',
    checks: ['tools-call-elicitation'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'tools-call-embedded-resource',
    checks: ['tools-call-embedded-resource'],
    because: 'It calls a tool written for the suite; ours return text and structured content only.',
  },
  {
    scenario: 'tools-call-error',
    checks: ['tools-call-error'],
    because: 'It calls a tool written for the suite. It runs against such tools on the same handler below.',
  },
  {
    scenario: 'tools-call-image',
    checks: ['tools-call-image'],
    because: 'It calls a tool written for the suite; ours return text and structured content only.',
  },
  {
    scenario: 'tools-call-mixed-content',
    checks: ['tools-call-mixed-content'],
    because: 'It calls a tool written for the suite; ours return text and structured content only.',
  },
  {
    scenario: 'tools-call-sampling',
    checks: ['tools-call-sampling'],
    because: 'It calls a tool written for the suite that queries the client; ours need only the call.',
  },
  {
    scenario: 'tools-call-simple-text',
    checks: ['tools-call-simple-text'],
    because: 'It calls a tool written for the suite. It runs against such tools on the same handler below.',
  },
  {
    scenario: 'tools-call-with-logging',
    checks: ['tools-call-with-logging'],
    because: 'It calls a tool written for the suite that reports progress or logs; ours return at once.',
  },
  {
    scenario: 'tools-call-with-progress',
    checks: ['tools-call-with-progress'],
    because: 'It calls a tool written for the suite that reports progress or logs; ours return at once.',
  },
]

/**
 * The findings that are expected, as `scenario: check`.
 *
 * @param hasContent whether the server has resources and prompts
 */
export const expectedFindings = (hasContent: boolean): Set<string> =>
  new Set(
    exceptions
      .filter(({ isWithoutContent }) => !(hasContent && isWithoutContent))
      .flatMap(({ scenario, checks }) => checks.map(check => `${scenario}: ${check}`)),
  )
