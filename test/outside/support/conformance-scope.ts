/**
 * A part of the official test suite that does not apply to this server. Most scenarios need special test tools, which
 * this server does not have.
 */
interface Exception {
  /** Matches names of scenarios, or of checks in the form `scenario: check`. */
  what: RegExp
  because: string
}

/** Scenarios that do not apply. */
export const scenarios: Exception[] = [
  { what: /^prompts-/, because: 'They use prompts written for the suite, or there are none.' },
  { what: /^resources-/, because: 'They use resources written for the suite, or there are none.' },
  { what: /^completion-/, because: 'Completion is not offered.' },
  { what: /^logging-/, because: 'Nothing is logged to clients.' },
  {
    what: /^tools-call-(simple-text|error)$/,
    because: 'They call tools written for the suite. They run against such tools on the same handler below.',
  },
  {
    what: /^tools-call-(image|audio|embedded-resource|mixed-content)$/,
    because: 'They call tools written for the suite; ours return text and structured content only.',
  },
  {
    what: /^tools-call-with-(logging|progress)$/,
    because: 'They call tools written for the suite that report progress; ours return at once.',
  },
  {
    what: /^(tools-call-(sampling|elicitation)|elicitation-|input-required-result-(basic|request-state|multi|non-tool|result-type|tampered|capability))/,
    because: 'They call tools written for the suite that query the client; ours need only the call.',
  },
  { what: /^tasks-/, because: 'An extension for long-running work, which is not offered.' },
  {
    what: /^json-schema-2020-12$/,
    because: 'It looks for a tool written for the suite whose schema has definitions; ours have none.',
  },
  {
    what: /^http-custom-header-server-validation$/,
    because: 'It looks for a tool that requires an argument repeated in a header; ours do not.',
  },
]

/** Checks that do not apply, although their scenario does. */
export const checks: Exception[] = [
  {
    what: /^server-stateless: sep-2575-(server-rejects-undeclared-capability|missing-capability-http-400)$/,
    because: 'They call a tool written for the suite that needs a client capability; ours need none.',
  },
  {
    what: /^server-stateless: sep-2575-(http-server-no-independent-requests-on-stream|server-no-log-without-loglevel)$/,
    because: 'They call tools written for the suite that stream or log; ours do neither.',
  },
  {
    what: /^caching: sep-2549-(prompts|resources)-/,
    because: 'They check lists that only some servers offer.',
  },
]

/** Scenarios that apply. Each must run and report at least one success. */
export const applicable = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'caching',
    'http-header-validation',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
    'sep-2164-resource-not-found',
    'input-required-result-unsupported-methods',
  ],
} as const

export type Revision = keyof typeof applicable

/** Whether an exception covers a scenario or check. */
export const isExcepted = (exceptions: Exception[], name: string): boolean =>
  exceptions.some(({ what }) => what.test(name))
