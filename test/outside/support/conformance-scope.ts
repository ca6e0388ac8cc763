/**
 * What of the official suite does not apply to a server that offers tools and nothing else, and whose tools are the
 * operations of an API. Most scenarios look for a tool that the suite wants to be made for it.
 */
interface Exception {
  /** Matches names of scenarios, or of a scenario's checks as `scenario: check`. */
  what: RegExp
  because: string
}

/** Scenarios that have nothing to look at. */
export const scenarios: Exception[] = [
  { what: /^prompts-/, because: 'No prompts are offered.' },
  { what: /^resources-/, because: 'No resources are offered.' },
  { what: /^completion-/, because: 'Completion is for prompts and resources, of which there are none.' },
  { what: /^logging-/, because: 'Nothing is logged to clients.' },
  {
    what: /^tools-call-(simple-text|error)$/,
    because: 'They call tools made for the suite. Run against such tools on the same door below.',
  },
  {
    what: /^tools-call-(image|audio|embedded-resource|mixed-content)$/,
    because: 'They call tools made for the suite; ours answer with text and structured content only.',
  },
  {
    what: /^tools-call-with-(logging|progress)$/,
    because: 'They call tools made for the suite that tell of their progress; ours are done at once.',
  },
  {
    what: /^(tools-call-(sampling|elicitation)|elicitation-|input-required-result-(basic|request-state|multi|non-tool|result-type|tampered|capability))/,
    because:
      'They call tools made for the suite that ask the client back; ours have all they need in the call.',
  },
  { what: /^tasks-/, because: 'An extension for long work, which is not offered.' },
  {
    what: /^json-schema-2020-12$/,
    because: 'It looks for a tool made for the suite, whose schema has definitions; ours have none to keep.',
  },
  {
    what: /^http-custom-header-server-validation$/,
    because: 'It looks for a tool that wants an argument repeated in a header; ours want none.',
  },
]

/** Checks of scenarios that apply otherwise. */
export const checks: Exception[] = [
  {
    what: /^server-stateless: sep-2575-(server-rejects-undeclared-capability|missing-capability-http-400)$/,
    because: 'They call a tool made for the suite that needs a capability of the client; ours need none.',
  },
  {
    what: /^server-stateless: sep-2575-(http-server-no-independent-requests-on-stream|server-no-log-without-loglevel)$/,
    because: 'They call tools made for the suite that stream or log; ours do neither.',
  },
  {
    what: /^caching: sep-2549-(prompts|resources)-/,
    because: 'They want hints on lists that are not offered.',
  },
]

/** Scenarios that apply, and so have to be there and to find something right. */
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

/** Whether one of the exceptions is about that. */
export const isExcepted = (exceptions: Exception[], name: string): boolean =>
  exceptions.some(({ what }) => what.test(name))
