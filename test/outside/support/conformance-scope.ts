/**
 * Scenarios of the official suite that apply to this service. Each must run, report at least one success, and report no
 * findings except the listed exceptions.
 */
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
    'input-required-result-validate-input',
  ],
} as const

/** Further scenarios that apply to servers with resources and prompts. */
export const applicableWithContent = ['prompts-list', 'resources-list'] as const

export type Revision = keyof typeof applicable
