import { type ErrorCode, errors } from '../../routers/api/errors.ts'
import type { Schema } from './document.ts'

const FIELD_ERROR = { $ref: '#/components/schemas/FieldError' }

/** Returns the component schemas of an error body (contract: "Errors"), limited to the codes that the API uses. */
export const problemSchemas = (codes: readonly ErrorCode[]): Record<string, Schema> => ({
  Problem: {
    type: 'object',
    description: 'An error (RFC 9457). Rely on `code` and `status`; the rest is for people',
    required: ['type', 'title', 'status', 'code'],
    properties: {
      type: { type: 'string', format: 'uri', description: 'Link to the explanation of this `code`' },
      title: { type: 'string', description: 'Fixed text; all errors with this `code` have the same title' },
      status: {
        type: 'integer',
        enum: [...new Set(codes.map(code => errors[code].status))].sort((a, b) => a - b),
        description: 'The HTTP status',
      },
      code: { type: 'string', enum: [...codes], description: 'Machine-readable error code' },
      detail: { type: 'string', description: 'Explanation specific to this request' },
      errors: {
        type: 'array',
        description: 'Every broken rule; only with `validation_failed`',
        minItems: 1,
        items: FIELD_ERROR,
      },
    },
    additionalProperties: false,
  },
  FieldError: {
    type: 'object',
    description: 'A broken rule',
    required: ['field', 'message'],
    properties: {
      field: {
        type: 'string',
        description: 'Dotted path of the field, such as `slug` or `tags.0`; `$` is the body as a whole',
      },
      message: {
        type: 'string',
        description: 'The rest of a sentence that starts with the field name, such as `must not be empty`',
      },
    },
    additionalProperties: false,
  },
})

/** Members that are optional in general but always present with certain codes. */
const ALSO_REQUIRED: Partial<Record<ErrorCode, ('detail' | 'errors')[]>> = {
  validation_failed: ['errors'],
  rate_limited: ['detail'],
  internal_error: ['detail'],
  unavailable: ['detail'],
}

/** Returns the schema of an error body that is limited to some codes, all with the same status. */
export const problemWith = (codes: readonly ErrorCode[]): Schema => {
  const required = codes.length === 1 ? (ALSO_REQUIRED[codes[0]!] ?? []) : []
  return {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        ...(required.length ? { required } : {}),
        properties: {
          status: { type: 'integer', const: errors[codes[0]!].status },
          code: { type: 'string', enum: [...codes] },
          ...(required.includes('errors') ? { errors: { type: 'array', items: FIELD_ERROR } } : {}),
          ...(required.includes('detail') ? { detail: { type: 'string' } } : {}),
        },
      },
    ],
  }
}
