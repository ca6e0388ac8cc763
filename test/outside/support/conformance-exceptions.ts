import { BOTH, type Exception, HANDSHAKE, STATELESS } from './conformance-exception.ts'
import type { Revision } from './conformance-scope.ts'
import { tasksExceptions } from './conformance-tasks.ts'

const ASKS_CLIENT = 'It needs a tool that sends a request to the client. The tools of this service send none.'
const OTHER_CONTENT = 'It needs a tool that returns other content than text and structured content.'
const REPORTS = 'It needs a tool that reports progress or logs. The tools of this service do neither.'
const TESTED_ELSEWHERE = 'It needs a tool of the suite. `mcp-conformance.test.ts` runs it with such a tool.'
const PROMPTS = 'It needs prompts of the suite.'
const RESOURCES = 'It needs resources of the suite.'
const SUBSCRIPTIONS = 'Lists and resources never change, so the service offers no subscriptions.'
const SESSIONS = 'It warns that there is no session. The service needs none.'

/** Every exception, by the exact names of the scenario and its checks. */
const exceptions: readonly Exception[] = [
  {
    scenario: 'caching',
    revisions: STATELESS,
    checks: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
    because: 'The checks need lists of prompts and resources, which this server does not offer.',
    isWithoutContent: true,
  },
  {
    scenario: 'caching',
    revisions: STATELESS,
    status: 'SKIPPED',
    checks: ['sep-2549-resources-read-caching-hints'],
    because: 'The check needs a resource, which this server does not offer.',
    isWithoutContent: true,
  },
  {
    scenario: 'completion-complete',
    revisions: BOTH,
    checks: ['completion-complete'],
    because: 'The service does not offer completion.',
  },
  {
    scenario: 'elicitation-sep1034-defaults',
    revisions: HANDSHAKE,
    checks: ['elicitation-sep1034-general'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'elicitation-sep1330-enums',
    revisions: HANDSHAKE,
    checks: ['elicitation-sep1330-general'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'http-custom-header-server-validation',
    revisions: STATELESS,
    checks: [
      'sep-2243-server-decode-base64',
      'sep-2243-server-no-xmcp-tool',
      'sep-2243-server-reject-invalid-param-chars',
      'sep-2243-server-reject-param-mismatch',
      'sep-2243-server-validate-param-match',
    ],
    because: 'It needs a tool whose arguments are repeated in headers. This service has none.',
  },
  {
    scenario: 'input-required-result-basic-elicitation',
    revisions: STATELESS,
    checks: ['sep-2322-elicitation-incomplete'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-basic-list-roots',
    revisions: STATELESS,
    checks: ['sep-2322-list-roots-incomplete'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-basic-sampling',
    revisions: STATELESS,
    checks: ['sep-2322-sampling-incomplete'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-capability-check',
    revisions: STATELESS,
    checks: ['sep-2322-respect-client-capabilities'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-ignore-extra-params',
    revisions: STATELESS,
    status: 'WARNING',
    checks: ['sep-2322-ignore-unexpected-params'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-missing-input-response',
    revisions: STATELESS,
    status: 'WARNING',
    checks: ['sep-2322-missing-response-rerequests'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-multi-round',
    revisions: STATELESS,
    checks: ['sep-2322-multi-round-r1'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-multiple-input-requests',
    revisions: STATELESS,
    checks: ['sep-2322-multiple-inputs-incomplete'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-non-tool-request',
    revisions: STATELESS,
    checks: ['sep-2322-non-tool-incomplete'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-request-state',
    revisions: STATELESS,
    checks: ['sep-2322-request-state-incomplete'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-result-type',
    revisions: STATELESS,
    checks: ['sep-2322-result-type-included'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'input-required-result-tampered-state',
    revisions: STATELESS,
    checks: ['sep-2322-reject-tampered-state'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'json-schema-2020-12',
    revisions: BOTH,
    checks: ['json-schema-2020-12-tool-found'],
    because: 'It needs a tool whose schema has definitions. This service has none.',
  },
  {
    scenario: 'logging-set-level',
    revisions: HANDSHAKE,
    checks: ['logging-set-level'],
    because: 'The service sends no log messages to clients.',
  },
  {
    scenario: 'prompts-get-embedded-resource',
    revisions: BOTH,
    checks: ['prompts-get-embedded-resource'],
    because: PROMPTS,
  },
  {
    scenario: 'prompts-get-simple',
    revisions: BOTH,
    checks: ['prompts-get-simple'],
    because: PROMPTS,
  },
  {
    scenario: 'prompts-get-with-args',
    revisions: BOTH,
    checks: ['prompts-get-with-args'],
    because: PROMPTS,
  },
  {
    scenario: 'prompts-get-with-image',
    revisions: BOTH,
    checks: ['prompts-get-with-image'],
    because: PROMPTS,
  },
  {
    scenario: 'prompts-list',
    revisions: BOTH,
    checks: ['prompts-list'],
    because: 'This server has no prompts.',
    isWithoutContent: true,
  },
  {
    scenario: 'resources-list',
    revisions: BOTH,
    checks: ['resources-list'],
    because: 'This server has no resources.',
    isWithoutContent: true,
  },
  {
    scenario: 'resources-read-binary',
    revisions: BOTH,
    checks: ['resources-read-binary'],
    because: RESOURCES,
  },
  {
    scenario: 'resources-read-text',
    revisions: BOTH,
    checks: ['resources-read-text'],
    because: RESOURCES,
  },
  {
    scenario: 'resources-subscribe',
    revisions: HANDSHAKE,
    checks: ['resources-subscribe'],
    because: SUBSCRIPTIONS,
  },
  {
    scenario: 'resources-templates-read',
    revisions: BOTH,
    checks: ['resources-templates-read'],
    because: RESOURCES,
  },
  {
    scenario: 'resources-unsubscribe',
    revisions: HANDSHAKE,
    checks: ['resources-unsubscribe'],
    because: SUBSCRIPTIONS,
  },
  {
    scenario: 'sep-2164-resource-not-found',
    revisions: STATELESS,
    status: 'WARNING',
    checks: ['sep-2164-data-uri', 'sep-2164-error-code'],
    because: 'This server has no resources, so the method does not exist.',
    isWithoutContent: true,
  },
  {
    scenario: 'server-sse-multiple-streams',
    revisions: HANDSHAKE,
    status: 'WARNING',
    checks: ['server-sse-multiple-streams-session'],
    because: SESSIONS,
  },
  {
    scenario: 'server-sse-polling',
    revisions: HANDSHAKE,
    status: 'WARNING',
    checks: ['server-sse-polling-session'],
    because: SESSIONS,
  },
  {
    scenario: 'server-stateless',
    revisions: STATELESS,
    checks: [
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
    ],
    because:
      'The checks need tools that use a client capability, a stream or a log. The tools of this service do not.',
  },
  {
    scenario: 'server-stateless',
    revisions: STATELESS,
    status: 'SKIPPED',
    checks: [
      'sep-2575-server-honors-notification-filter',
      'sep-2575-server-sends-prompts-list-changed-on-subscription',
      'sep-2575-server-sends-subscription-ack',
      'sep-2575-server-sends-tools-list-changed-on-subscription',
      'sep-2575-server-tags-subscription-id',
    ],
    because: SUBSCRIPTIONS,
  },
  ...tasksExceptions,
  {
    scenario: 'tools-call-audio',
    revisions: BOTH,
    checks: ['tools-call-audio'],
    because: OTHER_CONTENT,
  },
  {
    scenario: 'tools-call-elicitation',
    revisions: HANDSHAKE,
    checks: ['tools-call-elicitation'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'tools-call-embedded-resource',
    revisions: BOTH,
    checks: ['tools-call-embedded-resource'],
    because: OTHER_CONTENT,
  },
  {
    scenario: 'tools-call-error',
    revisions: BOTH,
    checks: ['tools-call-error'],
    because: TESTED_ELSEWHERE,
  },
  {
    scenario: 'tools-call-image',
    revisions: BOTH,
    checks: ['tools-call-image'],
    because: OTHER_CONTENT,
  },
  {
    scenario: 'tools-call-mixed-content',
    revisions: BOTH,
    checks: ['tools-call-mixed-content'],
    because: OTHER_CONTENT,
  },
  {
    scenario: 'tools-call-sampling',
    revisions: HANDSHAKE,
    checks: ['tools-call-sampling'],
    because: ASKS_CLIENT,
  },
  {
    scenario: 'tools-call-simple-text',
    revisions: BOTH,
    checks: ['tools-call-simple-text'],
    because: TESTED_ELSEWHERE,
  },
  {
    scenario: 'tools-call-with-logging',
    revisions: HANDSHAKE,
    checks: ['tools-call-with-logging'],
    because: REPORTS,
  },
  {
    scenario: 'tools-call-with-progress',
    revisions: BOTH,
    checks: ['tools-call-with-progress'],
    because: REPORTS,
  },
]

/**
 * Returns the exact findings that the suite should report, as `STATUS scenario: check`, sorted.
 *
 * @param hasContent whether the server has resources and prompts
 */
export const expectedFindings = (revision: Revision, hasContent: boolean): string[] =>
  exceptions
    .filter(
      ({ revisions, isWithoutContent }) => revisions.includes(revision) && !(hasContent && isWithoutContent),
    )
    .flatMap(({ scenario, checks, status = 'FAILURE' }) =>
      checks.map(check => `${status} ${scenario}: ${check}`),
    )
    .sort()
